"""The suite sees a model that embeds its input somewhere and forgets to move it."""

from dataclasses import replace

import pytest

from holdfast.data.base import Task
from holdfast.models.text.average import Average
from holdfast.models.text.classifier import TextModel
from holdfast.testing.model import example
from holdfast.testing.shift import check_shift

TASK = Task(9, ("no", "yes"))


def still(batch):
    return replace(batch, shift=None)


class Passes(TextModel):
    def embedded(self, batch, edit):
        return super().embedded(still(batch), edit)


class Losses(TextModel):
    def losses(self, batch, *rest):
        return super().losses(still(batch), *rest)


class Twice(TextModel):
    def embedded(self, batch, edit):
        vectors = super().embedded(batch, edit)
        return vectors if batch.shift is None or edit.embedded is None else vectors + batch.shift


class Ranks(TextModel):
    def rank(self, batch):
        return super().rank(still(batch))


class Subsets(TextModel):
    def subsets(self, batch, *rest):
        return super().subsets(still(batch), *rest)


class Wide(TextModel):
    def room(self, batch):
        return super().room(batch) | True


class Narrow(TextModel):
    def room(self, batch):
        return super().room(batch)[..., :1]


class Empty(TextModel):
    def room(self, batch):
        return super().room(batch) & False


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Passes, "a pass does not see the shift"),
        (Losses, "losses do not see the shift"),
        (Twice, "a given embedding is moved by the shift"),
        (Ranks, "rank does not see the shift"),
        (Subsets, "subsets do not see the shift"),
        (Wide, "room has numbers where no position exists"),
        (Narrow, "room is not of the shape of the embedded input"),
        (Empty, "room leaves out numbers that exist"),
    ],
)
def test_what_stays_where_it_is_is_named(model, message):
    good = Average(hidden=4, dim=3).build(TASK)
    broken = model(TASK, good.embedding, (good.encoder,), "additive").double()
    with pytest.raises(AssertionError, match=message):
        check_shift(broken, example(TASK))
