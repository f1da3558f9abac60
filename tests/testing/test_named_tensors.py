"""The suite sees a temperature that is trained, or that divides too little or too much."""

import pytest
import torch
import torch.nn.functional as F

from holdfast.core.records import PLAIN
from holdfast.data.base import Task
from holdfast.models.text.average import Average
from holdfast.models.text.classifier import TextModel
from holdfast.testing.model import example
from holdfast.testing.named_tensors import check_temperature

TASK = Task(12, ("no", "yes"))


def broken(model):
    """A small classifier of this class, in double precision."""
    good = Average(hidden=4, dim=3).build(TASK)
    return model(TASK, good.embedding, (good.encoder,), "additive").double()


class Trained(TextModel):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.temperature = torch.nn.Parameter(torch.ones(()))


class Cold(TextModel):
    def tempered(self, logits):
        return logits


class ColdSubsets(TextModel):
    def subsets(self, batch, kept, stays=False):
        return super().subsets(batch, kept, stays) * self.temperature


class ColdLosses(TextModel):
    def losses(self, batch, edit=PLAIN):
        return F.cross_entropy(self(batch, edit).logits * self.temperature, batch.targets, reduction="none")


class Heated(TextModel):
    def embed(self, batch):
        return super().embed(batch) * self.temperature

    def encode(self, embedded, batch, edit):
        return super().encode(embedded / self.temperature, batch, edit)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Trained, "the temperature would be trained"),
        (Cold, "the temperature does not divide the logits"),
        (ColdSubsets, "the temperature does not divide the logits of subsets"),
        (ColdLosses, "the temperature is not in the losses"),
        (Heated, "the temperature changes more than the logits"),
    ],
)
def test_a_broken_temperature_is_seen(model, message):
    with pytest.raises(AssertionError, match=f"^{message}"):
        check_temperature(broken(model), example(TASK))


def test_the_frame_itself_is_sound():
    check_temperature(broken(TextModel), example(TASK))
