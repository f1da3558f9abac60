"""The suite of models of pairs finds what is broken."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.records import PLAIN
from holdfast.models.interaction.deepicf import Attending, Deepicf
from holdfast.testing.model import build, check_model, example_for
from holdfast.testing.pairs import check_fillers, check_focused, check_own_history, check_rank, check_set
from tests.models.interaction.twin import TASK


class Selfish(Attending):
    """The candidate is part of its own history."""

    def pairs(self, embedded, batch, items, edit):
        return super().pairs(embedded, replace(batch, inputs=torch.zeros_like(batch.inputs)), items, edit)


class Ordered(Attending):
    """The latest item counts twice."""

    def weights(self, p, q, allowed):
        return super().weights(p, q, allowed) * torch.arange(1, p.shape[1] + 1)


class Approximate(Attending):
    """Candidates are ranked without the tower."""

    def rank(self, batch):
        return super().rank(batch) + 0.001


class Wasteful(Attending):
    """Fillers count."""

    def losses(self, batch, edit=PLAIN, weights=None):
        return super().losses(replace(batch, following=batch.following.clamp(min=1)), edit, weights)


class Negative(Attending):
    """What is explained is that the item is not taken."""

    def focused(self, batch, target):
        one, aim = super().focused(batch, target)
        return one, aim if batch.query is not None else 0 * aim


@pytest.mark.parametrize(
    ("cls", "check", "said"),
    [
        (Selfish, check_own_history, "a candidate is part of its own history"),
        (Ordered, check_set, "the order of the history changes the logits"),
        (Approximate, check_rank, "a candidate ranks otherwise than by itself"),
        (Wasteful, check_fillers, "a column without an item costs something"),
        (Negative, check_focused, "what is explained is not that the item is taken"),
    ],
)
def test_broken(cls, check, said):
    model = build(Deepicf(dim=4, spread=1.0), TASK)
    batch = example_for(model, TASK)
    check(model, batch)
    model.__class__ = cls
    with pytest.raises(AssertionError, match=f"^{said}$"):
        check(model, batch)


def test_whole():
    check_model(Deepicf(dim=4, layers=(3,)), TASK)
