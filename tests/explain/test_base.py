"""The log-odds, against probabilities."""

import math

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.explain.base import log_odds


@settings(max_examples=30, deadline=None)
@given(logits=st.lists(st.floats(-5, 5), min_size=2, max_size=5), data=st.data())
def test_log_odds(logits, data):
    target = data.draw(st.integers(0, len(logits) - 1))
    powers = [math.exp(logit) for logit in logits]
    p = powers[target] / sum(powers)
    ours = log_odds(torch.tensor([logits], dtype=torch.float64), torch.tensor([target]))
    assert math.isclose(float(ours), math.log(p / (1 - p)), rel_tol=1e-8, abs_tol=1e-9)


def test_a_saturated_prediction_still_has_a_slope():
    logits = torch.tensor([[0.0, 200.0]], requires_grad=True)
    (slope,) = torch.autograd.grad(log_odds(logits, torch.tensor([1])).sum(), logits)
    assert slope.tolist() == [[-1.0, 1.0]]
