import math

import pytest
import torch

from holdfast.core.compare.jaccard import Jaccard
from holdfast.core.errors import BadSetting

P = torch.tensor([0.1, 0.05, 0.001, 0.5, 0.15, 0.05, 0.05, 0.02, 0.009, 0.07], dtype=torch.float64)
Q = torch.tensor([0.03, 0.1, 0.1, 0.12, 0.48, 0.05, 0.05, 0.008, 0.002, 0.06], dtype=torch.float64)
ALL = torch.ones(10, dtype=torch.bool)


def test_it_is_the_figure_of_the_thesis():
    assert Jaccard(0.2)(P, Q, ALL).item() == 0.0
    assert Jaccard(0.1)(P, Q, ALL).item() == 1.0


@pytest.mark.parametrize("percent", [1, 10, 14, 20, 28, 55, 70, 100])
def test_the_size_is_the_exact_ceiling(percent):
    for n in range(1, 60):
        size = Jaccard(percent / 100).prepare(torch.rand(60), torch.arange(60) < n, False).sum().item()
        assert size == math.ceil(percent * n / 100 - 1e-9) == -(-percent * n // 100)


@pytest.mark.parametrize("fraction", [0.0, 1.5])
def test_a_fraction_out_of_range_is_refused(fraction):
    with pytest.raises(BadSetting) as caught:
        Jaccard(fraction)
    assert str(caught.value) == f"jaccard: expected fraction above 0 and at most 1, but got {fraction}"


@pytest.mark.parametrize(("shared", "index"), [(3, 1.0), (2, 0.5), (1, 0.2), (0, 0.0)])
def test_the_first_three_of_the_thesis(shared, index):
    """Baumhauer §4.2.2: two of three in common give 2/4, one gives 1/5."""
    scores = torch.tensor([9.0, 8.0, 7.0, 3.0, 2.0, 1.0])
    other = scores.roll(3 - shared)
    mask = torch.ones(6, dtype=torch.bool)
    assert 1 - Jaccard(k=3)(scores, other, mask).item() == pytest.approx(index)


def test_a_short_row_has_all_of_its_positions():
    mask = torch.tensor([True, True, False, False])
    assert Jaccard(k=3).prepare(torch.rand(4), mask, False).sum().item() == 2


def test_a_set_of_none_is_refused():
    with pytest.raises(BadSetting, match=r"^jaccard: expected k of at least 1, but got 0$"):
        Jaccard(k=0)
