import pytest
import scipy.stats
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.compare.ranks import average_ranks, centred_ranks, keys, ranks, unit, varies

VALUES = st.lists(st.integers(0, 4).map(float), min_size=1, max_size=12)


@given(values=VALUES)
def test_ranks_are_scipys(values):
    given_ = torch.tensor(values, dtype=torch.float64)
    turned = [-v for v in values]
    assert (average_ranks(given_) + 1).tolist() == scipy.stats.rankdata(turned).tolist()
    assert (ranks(given_) + 1).tolist() == scipy.stats.rankdata(turned, method="ordinal").tolist()


def test_keys_are_sizes_or_signed_scores_and_masked_ones_come_last():
    scores, mask = torch.tensor([-3.0, 1.0, 9.0]), torch.tensor([True, True, False])
    assert keys(scores, mask, False).tolist() == [3.0, 1.0, -torch.inf]
    assert keys(scores, mask, True).tolist() == [-3.0, 1.0, -torch.inf]


def test_a_long_constant_row_is_exactly_zero_in_float32():
    assert (centred_ranks(torch.full((9001,), 0.1), torch.ones(9001, dtype=torch.bool), False) == 0).all()


@pytest.mark.parametrize("size", [1e-38, 1.0, 1e38])
def test_unit_survives_extreme_sizes(size):
    assert unit(torch.tensor([3.0, 0.0, 2.0]) * size).square().sum().item() == pytest.approx(1.0)
    assert unit(torch.zeros(3)).tolist() == [0, 0, 0]


def test_only_valid_positions_vary():
    scores = torch.tensor([1.0, 1.0, 2.0])
    for mask, expected in (([True, True, False], False), ([True, False, True], True), ([False] * 3, False)):
        valid = torch.tensor(mask)
        assert varies(keys(scores, valid, False), valid).item() is expected
