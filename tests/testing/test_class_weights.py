"""Class weights that are not those of the loss are found."""

import pytest

from holdfast.core.records import PLAIN
from holdfast.data.base import Task
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.text.average import Average
from holdfast.models.text.classifier import TextModel
from holdfast.testing.class_weights import check_class_weights
from holdfast.testing.model import build, example
from tests.models.interaction.twin import TASK

TEXT = Task(9, ("no", "yes"))


class Deaf(TextModel):
    """It has no ear for weights."""

    def losses(self, batch, edit=PLAIN, weights=None):
        return super().losses(batch, edit)


def test_weights_that_are_not_used():
    model, batch = build(Average(hidden=4, dim=3), TEXT), example(TEXT)
    check_class_weights(model, batch)
    model.__class__ = Deaf
    with pytest.raises(AssertionError, match=r"^losses with class weights of 1 are not the losses$"):
        check_class_weights(model, batch)


def test_a_model_of_next_items_may_refuse():
    check_class_weights(build(Sasrec(dim=4), TASK), example(TASK))
