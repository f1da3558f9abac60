import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.compare.kendall import Kendall

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


@given(pairs=PAIRS.filter(lambda pairs: all(len(set(side)) > 1 for side in zip(*pairs, strict=True))))
def test_scipy_agrees_on_ties(pairs):
    a, b = np.array(pairs, dtype=float).T
    value = Kendall()(torch.tensor(a), torch.tensor(b), torch.ones(len(a), dtype=torch.bool))
    assert value.item() == pytest.approx(scipy.stats.kendalltau(a, b).statistic)


def test_a_constant_row_says_nothing_about_one_that_varies():
    scores, flat = torch.tensor([0.5, 0.1, 0.3]), torch.full((3,), 0.3)
    assert Kendall()(scores, flat, scores > 0).item() == 0.0
    assert Kendall()(flat, scores, scores > 0).item() == 0.0
    assert Kendall()(flat, 2 * flat, scores > 0).item() == 1.0
