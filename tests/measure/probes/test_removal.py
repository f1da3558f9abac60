import torch

from holdfast.core.records import Batch
from holdfast.measure.probes.base import Probe
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.removal import patches
from tests.measure.probes.pairs import pair_family


def test_patches_are_squares_of_the_whole_image():
    """Two strips of 4 × 2 are one image of 4 × 4."""
    batch = Batch(torch.zeros(1, 2, 4, 2), torch.ones(1, 2, dtype=torch.bool))
    where = patches(batch, 2).view(2, 4, 2)
    image = torch.cat(tuple(where), 1)
    assert image.tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]]
    assert patches(Batch(torch.zeros(1, 12, 28, 7), torch.ones(1, 12) > 0), None).max() == 47
    assert patches(Batch(torch.zeros(1, 12, 8, 2), torch.ones(1, 12) > 0), None).max() == 47


def test_orders_of_one_example_are_those_of_all_together(plays):
    """On a CPU each example is asked about in every order, on a GPU all examples are."""
    split, rows, run = plays.splits["test"], torch.arange(12), pair_family(plays).run(0)
    batch, target = run.model.focused(split.batch(rows), split.targets[rows])
    draw = torch.rand(4, *batch.mask.shape, generator=torch.Generator().manual_seed(0))
    parts, probe = torch.where(batch.mask, draw, -torch.inf), Comprehensiveness()
    torch.testing.assert_close(
        probe.orders(run, batch, parts, target), Probe.orders(probe, run, batch, parts, target)
    )
