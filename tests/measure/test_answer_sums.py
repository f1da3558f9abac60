"""Sums over answers, example by example and bin by bin."""

import pytest
import torch

from holdfast.measure.answer_sums import answer_sums, graded
from tests.reference import measure as reference


@pytest.mark.parametrize(("each", "classes", "bins"), [(1, 2, 10), (6, 2, 10), (4, 3, 4)])
def test_they_are_those_of_the_naive_twin(each, classes, bins):
    draw = torch.Generator().manual_seed(each)
    p = (2 * torch.randn(60, classes, generator=draw, dtype=torch.float64)).softmax(-1)
    p[0] = torch.eye(classes, dtype=torch.float64)[0]  # as sure as can be
    targets = torch.randint(classes, (60,), generator=draw)
    sums = answer_sums(graded(p, targets, bins), 60 // each, bins)
    twin = reference.answer_sums(p.tolist(), targets.tolist(), each, bins)
    assert {tuple(cell) for cell in sums.number.nonzero().tolist()} == twin.keys()
    for (example, place), (count, gap, _, _) in twin.items():
        assert float(sums.number[example, place]) == count
        assert float(sums.gap[example, place]) == pytest.approx(gap, abs=1e-12)
    for place in range(bins):
        here = [cell for (_, other), cell in twin.items() if other == place]
        assert float(sums.confidence[place]) == pytest.approx(sum(cell[2] for cell in here))
        assert float(sums.right[place]) == sum(cell[3] for cell in here)
