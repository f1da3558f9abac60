"""LRP-αβ, against captum's α₁β₀ and by hand."""

import pytest
import torch
from captum.attr._utils.lrp_rules import Alpha1_Beta0_Rule
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.rules.taylor import Taylor
from tests.explain.rules.net import captum_lrp, offsets, relevance, weights


@given(seed=st.integers(0, 999), biased=st.booleans())
def test_captum(seed, biased):
    """Inputs are not negative and captum is told to leave the bias out, or it would be another rule.

    By default its denominator is ``W⁺x + b``; and it takes ``W⁺x`` for inputs of either sign, where (3.34)
    takes ``Σ (x w)⁺``.
    """
    layers, x = weights((5, 7, 6, 3), seed), weights((4, 5), seed + 1)[0].abs()
    biases = offsets(layers, seed) if biased else None
    theirs = captum_lrp(layers, lambda: Alpha1_Beta0_Rule(set_bias_to_zero=True), x, seed % 3, biases)
    ours = relevance(AlphaBeta(1.0, 0.0), layers, x, seed % 3, biases)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-7)
    torch.testing.assert_close(ours, relevance(Taylor(), layers, x, seed % 3, biases))


def test_captums_default_is_another_rule():
    layers, x = weights((5, 7, 6, 3), 0), weights((4, 5), 1)[0]
    for given_x, biases in ((x.abs(), offsets(layers, 0)), (x, None)):
        theirs = captum_lrp(layers, Alpha1_Beta0_Rule, given_x, 0, biases)
        assert not torch.allclose(relevance(AlphaBeta(1.0, 0.0), layers, given_x, 0, biases), theirs)


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
