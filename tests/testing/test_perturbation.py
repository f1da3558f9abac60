from dataclasses import dataclass

import pytest
import torch

from holdfast.data.perturb.dropped import Dropped
from holdfast.testing.perturbation import CHECKS, check_perturbation
from tests.data.perturb.cases import batch, texts


@dataclass(frozen=True)
class Broken(Dropped):
    """Breaks one promise at a time."""

    how: str = ""

    def change(self, batch, dataset, data_dir):
        changed = super().change(batch, dataset, data_dir)
        if self.how == "shape":
            return changed._replace(place=changed.place[:, :-1])
        if self.how == "vocabulary":
            changed.batch.inputs[0, 0] = dataset.task.vocabulary
        if self.how == "padding":
            changed.batch.inputs[changed.batch.mask] = 0
        if self.how == "masked":
            changed.touched[:] = True
        if self.how == "makes":
            changed.batch.mask[:] = True
        if self.how == "empty":
            changed.batch.mask[:] = False
        if self.how == "two":
            changed.place[changed.place >= 0] = int(changed.batch.mask[0].nonzero()[0])
        if self.how == "marks":
            changed.batch.inputs[:] = changed.batch.inputs.flip(0).clamp(min=2)
        if self.how == "order":
            changed.batch.mask[0] = batch.mask[0]
            changed.touched[0] = False
            changed.place[0] = torch.where(batch.mask[0], torch.arange(batch.mask.shape[1]), -1)
        if self.how == "writes":
            batch.inputs.add_(1)
        return changed

    def shift(self, batch, room):
        moved = room(batch).float()
        return {
            "narrow": moved[..., :1],
            "everywhere": torch.ones_like(moved),
            "neighbours": moved * torch.arange(len(moved))[:, None, None],
        }.get(self.how)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("shape", "expected a mask, places and marks"),
        ("vocabulary", "beyond the vocabulary"),
        ("padding", "padding's number inside"),
        ("masked", "touches positions that do not exist"),
        ("makes", "makes positions that did not exist"),
        ("empty", "leaves nothing"),
        ("two", "lays two positions on one|where there is nothing"),
        ("marks", "does not mark as touched"),
        ("order", "depends on the order"),
        ("writes", "writes into the batch"),
        ("narrow", "expected a shift for each number"),
        ("everywhere", "moves numbers that do not exist"),
        ("neighbours", "depends on the batch"),
    ],
)
def test_broken_promises_are_named(how, words):
    whole = batch(texts())
    with pytest.raises(AssertionError, match=words):
        check_perturbation(Broken(how=how), texts(), whole)


def test_every_check_is_run():
    check_perturbation(Broken(), texts(), batch(texts()))
    assert len(CHECKS) == 6
