from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
import torch

from holdfast.measure.probes.deletion import Deletion
from holdfast.testing.probe import CHECKS, check_probe
from tests.measure.probes.cases import one


@dataclass(frozen=True)
class Broken(Deletion):
    """Breaks one promise at a time."""

    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    how: str = ""

    def curve(self, run, batch, parts, target):
        if self.how == "blind":
            parts = torch.zeros_like(parts)
        if self.how == "unit":
            parts = parts.where(parts.abs() > 1.0, -99.0)
        if self.how == "batch":
            parts = parts - parts.mean(0).abs() * 9
        if self.how == "touches":
            batch.inputs.mul_(0.5)
        if self.how == "nan":
            return super().curve(run, batch, parts, target) / 0.0 * 0.0
        if self.how == "first":
            return super().curve(run, batch, parts, target) + parts.argmax(-1, keepdim=True)
        if self.how == "alone":
            return super().curve(run, batch, parts, target)[0]
        return super().curve(run, batch, parts, target)

    def orders(self, run, batch, parts, target):
        return super().orders(run, batch, parts.flip(0) if self.how == "orders" else parts, target)

    def drop(self, curve):
        if self.how == "bounds":
            return super().drop(curve) + 9.0
        return curve if self.how == "drop" else super().drop(curve)


@dataclass(frozen=True)
class Backwards(Deletion):
    """Says the opposite of what it does."""

    higher_is_better: ClassVar[bool] = False


def test_a_probe_that_declares_the_wrong_direction_is_named():
    with pytest.raises(AssertionError, match=r"expected lower to be better, but leave-one-out's order gives"):
        check_probe(Backwards(patch=2, steps=3), *one())


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("blind", "does not read the scores"),
        ("unit", "depends on their unit"),
        ("batch", "depends on the batch"),
        ("touches", "changes the batch|depends on"),
        ("nan", "is not finite"),
        ("first", "the first step depends on the scores"),
        ("alone", "expected a curve for each example"),
        ("orders", "orders at once differ from each alone"),
        ("drop", "expected one drop for each curve"),
        ("bounds", r"expected drops between -1.0 and 1.0, but got"),
    ],
)
def test_broken_promises_are_named(how, words):
    run, batch, scores = one()
    with pytest.raises(AssertionError, match=words):
        check_probe(Broken(patch=2, steps=3, how=how), run, replace(batch), scores)


def test_every_check_is_run():
    run, batch, scores = one()
    check_probe(Broken(patch=2, steps=3), run, batch, scores)
    assert len(CHECKS) == 7
