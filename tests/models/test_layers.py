"""Masked softmax and dropout against their plain formulas."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.models.layers import dropout, masked_softmax
from tests.reference.models import softmax

ROW = st.lists(st.tuples(st.floats(-1e4, 1e4, width=32), st.booleans()), min_size=1, max_size=8)


@given(row=ROW)
def test_masked_softmax(row):
    scores = torch.tensor([score for score, _ in row], dtype=torch.float64)
    mask = torch.tensor([exists for _, exists in row])
    weights = masked_softmax(scores, mask)
    assert not weights[~mask].any()
    if mask.any():
        expected = torch.tensor(softmax(scores[mask].tolist()), dtype=torch.float64)
        torch.testing.assert_close(weights[mask], expected, rtol=1e-12, atol=1e-15)


def test_masked_softmax_of_nothing_has_a_finite_gradient():
    scores = torch.zeros(1, 3, requires_grad=True)
    weights = masked_softmax(scores, torch.zeros(1, 3, dtype=torch.bool))
    (slope,) = torch.autograd.grad(weights.sum(), scores)
    assert not weights.any()
    assert not slope.any()


@given(draws=st.lists(st.floats(0, 0.999), min_size=1, max_size=9), rate=st.floats(0.05, 0.9))
def test_dropout(draws, rate):
    x = torch.arange(1.0, len(draws) + 1, dtype=torch.float64)
    kept = dropout(x, {"states": torch.tensor(draws, dtype=torch.float64)}, "states", rate)
    for value, was, u in zip(kept.tolist(), x.tolist(), draws, strict=True):
        assert value == (0.0 if u < rate else was / (1 - rate))


def test_no_draws_no_dropout():
    x = torch.ones(3)
    assert dropout(x, {}, "states", 0.5) is x
    assert dropout(x, {"states": torch.zeros(3)}, "states", 0.0) is x
