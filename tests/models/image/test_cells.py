"""What all cells promise: holes pass the state on, and the read-out is of the last step that exists."""

import pytest
import torch

from holdfast.core.records import Batch
from holdfast.explain.deep_taylor import DeepTaylor
from holdfast.explain.rules.taylor import Taylor
from holdfast.models.image.cells import Memory, Rectified, steps
from holdfast.models.image.gru import Gated
from holdfast.models.image.layers import Drop

with torch.random.fork_rng(devices=()):
    torch.manual_seed(0)
    CELLS = [Rectified(6, 9, 8), Memory(6, 9, rectified=True), Memory(6, 9, rectified=False), Gated(6, 9)]
NOTHING = Drop({}, 0.0)


@pytest.mark.parametrize("cell", CELLS)
def test_a_hole_is_a_deletion(cell):
    x = torch.rand(3, 5, 6)
    mask = torch.tensor([[True, False, True, True, False]]).expand(3, -1)
    holed = cell(x, mask, NOTHING, None, "positive")
    left = x[:, mask[0]]
    torch.testing.assert_close(cell(left, torch.ones(3, 3).bool(), NOTHING, None, "positive"), holed)
    assert not cell(x, torch.zeros(3, 5).bool(), NOTHING, None, "positive").any()


@pytest.mark.parametrize("cell", CELLS)
def test_every_step_is_seen(cell):
    torch.manual_seed(0)
    x, mask = torch.rand(3, 4, 6, requires_grad=True), torch.ones(3, 4).bool()
    (slope,) = torch.autograd.grad(cell(x, mask, NOTHING, None, "positive").sum(), x)
    assert slope.abs().sum(-1).gt(0).any(0).all()


@pytest.mark.parametrize("cell", CELLS)
def test_pixels_may_meet_every_cell(cell):
    """Under the axis of bounds that deep Taylor gives the input, the state is the same."""
    x, mask = 2 * torch.rand(3, 4, 6) - 1, torch.ones(3, 4).bool()
    plain = cell(x, mask, NOTHING, None, "input")
    leaves = DeepTaylor().leaves(Batch(x, mask), x)
    assert leaves.dim() == x.dim() + 1
    torch.testing.assert_close(cell(leaves, mask, NOTHING, Taylor("zbeta"), "input"), plain)


@pytest.mark.parametrize("cell", CELLS)
def test_dropping_everything_leaves_nothing(cell):
    x, mask = torch.rand(2, 3, 6), torch.ones(2, 3).bool()
    drop = Drop({"hidden": torch.zeros(2, 9)}, 0.5)
    assert not cell(x, mask, drop, None, "positive").any()


def test_steps_come_in_order():
    x, mask = torch.arange(6.0).view(1, 3, 2), torch.tensor([[True, False, True]])
    seen = [(t, here.tolist(), exists.tolist()) for t, here, exists in steps(x, mask)]
    assert seen == [(0, [[0, 1]], [[True]]), (1, [[2, 3]], [[False]]), (2, [[4, 5]], [[True]])]
