"""The suite for recommenders sees what it is there to see: each broken model fails with its sentence."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
import torch

from holdfast.data.base import Task
from holdfast.models.base import Architecture
from holdfast.models.interaction.bert4rec import Bert4rec, Cloze
from holdfast.models.interaction.sasrec import Causal, Sasrec
from holdfast.testing.histories import histories, pad_left
from holdfast.testing.model import check_model

TASK = Task(12, (), length=9)


class LooksAhead(Causal):
    causal = False


class FromTheLeft(Causal):
    def placed(self, vectors):
        return vectors + self.positions[: vectors.shape[1]]


class Forgetful(Causal):
    def encode(self, embedded, batch, edit):
        return super().encode(embedded, batch, edit) * batch.mask.sum(1)[:, None, None]


class ReadsNothing(Causal):
    def decide(self, states, batch, edit):
        return replace(super().decide(states, batch, edit), read=None)


class Odds(Causal):
    def explained(self, logits, target):
        return logits.softmax(1).gather(1, target[:, None])[:, 0]


class SeesZero(Causal):
    def scores(self, last, candidates=None):
        return torch.zeros_like(super().scores(last, candidates)) + last[:, :1]


class Prophet(Causal):
    def embed(self, batch):
        return super().embed(batch) + self.embedding.weight[batch.following] * batch.mask[..., None]


class Detour(Causal):
    def last(self, states, batch, edit=None):
        return super().last(states * 2.0, batch, edit)


class LoneToken(Cloze):
    def whole(self, mask):
        return torch.cat([mask, mask[:, -1:]], 1)


@dataclass(frozen=True)
class Broken(Architecture):
    model: type
    reads: ClassVar = ("interaction",)

    def build(self, task):
        if issubclass(self.model, Cloze):
            return self.model(task, 6, Bert4rec(dim=6).stack(), 0.2)
        return self.model(task, 6, Sasrec(dim=6).stack(), "bce", 1)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (FromTheLeft, "padding changes the logits"),
        (Forgetful, "states encoded once do not serve another mask"),
        (ReadsNothing, "does not say which position is read"),
        (Odds, "what is explained is not the item's score"),
        (SeesZero, "item 0, which is none, is not the lowest"),
        (Prophet, "logits see what came next"),
        (Detour, "the short way gives another state"),
        (LoneToken, "a position of the model's own is not attended"),
    ],
)
def test_a_broken_model_fails(model, message):
    with pytest.raises(AssertionError, match=message):
        check_model(Broken(model), TASK)


@pytest.mark.parametrize("model", [Causal, Cloze])
def test_the_frame_itself_is_sound(model):
    check_model(Broken(model), TASK)


def test_looking_ahead_is_no_causal_model_but_keeps_the_contract():
    check_model(Broken(LooksAhead), TASK)


def test_padding_comes_first():
    batch = histories(TASK, 6)
    wide = pad_left(batch, 3)
    assert wide.mask.shape == wide.following.shape == (5, 9)
    assert wide.negatives.shape == (5, 9, 2)
    assert wide.candidates.shape == batch.candidates.shape
    assert torch.equal(wide.inputs[:, 3:], batch.inputs)
    assert not wide.mask[:, :3].any()
