"""The suite for models sees what it is there to see: each broken model fails with its sentence."""

from dataclasses import dataclass, replace

import pytest
import torch
import torch.nn.functional as F

from holdfast.core.records import PLAIN
from holdfast.data.base import Task
from holdfast.models.base import Architecture
from holdfast.models.image.classifier import Recurrent
from holdfast.models.image.deep import Deep
from holdfast.models.text.average import Average
from holdfast.models.text.classifier import TextModel
from holdfast.testing.model import check_model

TASK = Task(12, ("no", "yes"))
STRIPS = Task(0, ("a", "b", "c"), strip=(4, 8, 2))


class SeesPadding(TextModel):
    def embed(self, batch):
        return F.embedding(batch.inputs, self.embedding.weight)


class Norms(TextModel):
    def encode(self, embedded, batch, edit):
        return super().encode(embedded, batch, edit) - embedded.mean()


class ShutDoor(TextModel):
    def decide(self, states, batch, edit):
        return super().decide(states, batch, PLAIN)


class Rolls(TextModel):
    def encode(self, embedded, batch, edit):
        return super().encode(embedded, batch, edit) * torch.rand(())


class Deaf(TextModel):
    def noise(self, batch):
        return {"nothing": (1,)}


class Writes(TextModel):
    def embed(self, batch):
        self.embedding.weight.data[0].add_(1.0)
        return super().embed(batch)


class Length(TextModel):
    def encode(self, embedded, batch, edit):
        return super().encode(embedded, batch, edit) * batch.mask.shape[-1]


class Unmoved(TextModel):
    def forward(self, batch, edit=PLAIN):
        return super().forward(replace(batch, shift=None), edit)


class OneSided(TextModel):
    def evidence(self, logits):
        return logits


@dataclass(frozen=True)
class Broken(Architecture):
    model: type[TextModel]

    def build(self, task):
        good = Average(hidden=4, dim=3).build(task)
        return self.model(task, good.embedding, (good.encoder,), "additive")


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SeesPadding, "the embedding of a masked position is not 0"),
        (Norms, "the logits"),
        (Length, "padding changes the logits"),
        (ShutDoor, "edit.attention does not see every map"),
        (Rolls, "padding changes the logits"),
        (Deaf, "the draws 'nothing' are not used"),
        (Writes, "a call changed the parameter"),
        (OneSided, "evidence is not"),
        (Unmoved, "a pass does not see the shift"),
    ],
)
def test_a_broken_model_fails(model, message):
    with pytest.raises(AssertionError, match=message):
        check_model(Broken(model), TASK)


def test_the_frame_itself_is_sound():
    check_model(Broken(TextModel), TASK)


class SeesHoles(Recurrent):
    def embed(self, batch):
        return batch.inputs.double()


class ForgetsSteps(Recurrent):
    def encode(self, embedded, batch, edit):
        return super().encode(embedded * 0.0, batch, edit)


@dataclass(frozen=True)
class BrokenStrips(Architecture):
    model: type[Recurrent]

    def build(self, task):
        good = Deep().build(task)
        broken = self.model(task, good.front, good.cell, (32,), 0.2, False)
        broken.load_state_dict(good.state_dict())
        return broken


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SeesHoles, "the embedding of a masked position is not 0"),
        (ForgetsSteps, "the given embedding is not used"),
    ],
)
def test_a_broken_model_of_strips_fails(model, message):
    with pytest.raises(AssertionError, match=message):
        check_model(BrokenStrips(model), STRIPS)


def test_the_frame_of_strips_is_sound():
    check_model(BrokenStrips(Recurrent), STRIPS)
