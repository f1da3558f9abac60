"""Every comparison equals its naive twin, ties, holes, zeros and all."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import catalogue, make
from tests.reference import compare as reference

# Few distinct values, so that ties and zeros are common; a wide range beside them.
SCORE = st.sampled_from([0.0, 0.25, -0.25, 0.5, 1.0, -1.0, 3.0]) | st.floats(-50, 50, width=32)
ROW = st.tuples(SCORE, SCORE, st.booleans())
INSTANCE = st.lists(ROW, min_size=1, max_size=9)


@pytest.mark.parametrize("name", list(catalogue("comparisons")))
@given(rows=INSTANCE, signed=st.booleans())
def test_twin(name, rows, signed):
    a, b, mask = (torch.tensor(column) for column in zip(*rows, strict=True))
    a, b = a.double(), b.double()
    kept = [(x, y) for x, y, valid in zip(a.tolist(), b.tolist(), mask.tolist(), strict=True) if valid]
    expected = getattr(reference, name)([x for x, _ in kept], [y for _, y in kept], signed)
    assert make("comparisons", name)(a, b, mask, signed).item() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["ndcg_log", "ndcg_lin"])
@given(rows=INSTANCE)
def test_twin_with_ranks_from_one(name, rows):
    a, b = (torch.tensor(column, dtype=torch.float64) for column in list(zip(*rows, strict=True))[:2])
    expected = getattr(reference, name)(a.tolist(), b.tolist(), False, first_rank=1)
    value = make("comparisons", f"{name}:first_rank=1")(a, b, torch.ones(len(a), dtype=torch.bool))
    assert value.item() == pytest.approx(expected, abs=1e-9)
