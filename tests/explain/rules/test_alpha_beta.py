"""LRP-αβ, against captum's α₁β₀ and by hand."""

import pytest
import torch
from captum.attr._utils.lrp_rules import Alpha1_Beta0_Rule
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.rules.taylor import Taylor
from tests.explain.rules.net import captum_lrp, relevance, weights


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999))
def test_captum(seed):
    layers, x = weights((5, 7, 6, 3), seed), weights((4, 5), seed + 1)[0].abs()
    theirs = captum_lrp(layers, Alpha1_Beta0_Rule, x, seed % 3)
    ours = relevance(AlphaBeta(1.0, 0.0), layers, x, seed % 3)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-7)
    torch.testing.assert_close(ours, relevance(Taylor(), layers, x, seed % 3))


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        ([3.0, 1.0, -2.0], [2 * 1.5 * 0.75, 2 * 1.5 * 0.25, -2 * 0.5]),  # both signs: y = 2
        ([3.0, 1.0, 0.0], [3.0, 1.0, 0.0]),  # no negative part: α is 1
        ([0.0, 0.0, -2.0], [0.0, 0.0, 2 * 0.5]),  # no positive part: only β's share of −2
    ],
)
def test_by_hand(weight, expected):
    x = torch.ones(1, 3, requires_grad=True)
    rules = AlphaBeta(1.5, 0.5)
    rules.affine([Part(matmul, x, torch.tensor(weight)[:, None], "positive")], None).backward()
    torch.testing.assert_close(x.grad, torch.tensor([expected]))
