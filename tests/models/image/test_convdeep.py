"""The convolved cells, pixel by pixel."""

import torch

from holdfast.models.image.convdeep import Convdeep, ConvPlusDeep
from holdfast.models.image.layers import Drop
from holdfast.testing.model import build, example
from tests.models.image.twin import SMALL, count


def test_counts_of_the_document():
    assert count(Convdeep(), (12, 28, 7)) == 151_802
    assert count(ConvPlusDeep(), (12, 28, 7)) == 175_418


def test_literal_connections_carry_the_step_before():
    model, batch = build(ConvPlusDeep(bias=0.0001), SMALL), example(SMALL)
    drop = Drop({}, 0.0)
    features = model.front(batch.inputs, batch.mask, drop, None)
    batch.inputs[0, 0] += 1.0
    moved = model.front(batch.inputs, batch.mask, drop, None)
    assert not torch.equal(moved[0, 1], features[0, 1])
    assert torch.equal(moved[1:], features[1:])
