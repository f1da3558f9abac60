import math

import pytest
import scipy.stats
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.measure.entropy import entropy
from tests.reference import rollout as reference

NUMBERS = st.floats(0, 100, allow_subnormal=False)


@given(values=st.lists(NUMBERS, min_size=1, max_size=9), holes=st.integers(0, 4))
def test_it_is_the_naive_one(values, holes):
    scores = torch.tensor(values + [7.0] * holes, dtype=torch.float64)
    mask = torch.arange(len(scores)) < len(values)
    assert entropy(scores, mask).item() == pytest.approx(reference.entropy(values), abs=1e-9)


def test_it_is_scipys():
    draw = torch.rand(6, 50, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    expected = scipy.stats.entropy(draw.numpy(), base=2, axis=1)
    assert entropy(draw, torch.ones(6, 50, dtype=torch.bool)).tolist() == pytest.approx(expected.tolist())


def test_its_ends():
    mask = torch.ones(8, dtype=torch.bool)
    assert entropy(torch.ones(8), mask).item() == pytest.approx(3.0)
    assert entropy(torch.tensor([1.0] + [0.0] * 7), mask).item() == 0.0
    assert entropy(torch.ones(3, 2, 8), torch.ones(2, 8, dtype=torch.bool)).shape == (3, 2)
    assert math.isfinite(entropy(torch.zeros(8), ~mask).item())
