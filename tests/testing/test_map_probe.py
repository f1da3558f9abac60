from dataclasses import dataclass

import pytest
import torch

from holdfast.measure.probes.even_attention import EvenAttention
from holdfast.testing.map_probe import check_map_probe
from tests.measure.probes.attentive import attentive


@dataclass(frozen=True)
class Broken(EvenAttention):
    """Breaks one promise at a time."""

    how: str = ""

    def effect(self, run, batch):
        effect = super().effect(run, batch)
        changed = {
            "shape": effect[:, None],
            "nan": effect / 0.0 * 0.0,
            "below": effect - 1.0,
            "again": effect + torch.rand(()),
            "batch": effect + len(batch),
            "padding": effect + batch.mask.shape[1],
        }
        if self.how == "touches":
            batch.inputs.zero_()
        if self.how == "weights":
            run.parameters["head.weight"].mul_(0.5)
            return effect * 0.0
        return changed.get(self.how, effect)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("shape", "expected a number for each example"),
        ("nan", "is not finite"),
        ("below", "is below 0"),
        ("again", "is another one the second time"),
        ("batch", "depends on the batch"),
        ("padding", "depends on padding"),
        ("touches", "changes the batch|the second time"),
        ("weights", "changes the weights"),
    ],
)
def test_broken_promises_are_named(how, words):
    with pytest.raises(AssertionError, match=words):
        check_map_probe(Broken(how=how), *attentive())


def test_one_that_keeps_them_passes():
    check_map_probe(Broken(), *attentive())
