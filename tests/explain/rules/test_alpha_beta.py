"""LRP-αβ, against captum's α₁β₀ and by hand."""

import pytest
import torch
from captum.attr._utils.lrp_rules import Alpha1_Beta0_Rule
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.rules.taylor import Taylor
from tests.explain.rules.net import captum_by_sign, captum_lrp, offsets, relevance, weights


@given(seed=st.integers(0, 999), biased=st.booleans())
def test_captum(seed, biased):
    """Inputs are not negative and captum is told to leave the bias out, or it would be another rule.

    By default its denominator is ``W⁺x + b``; and it takes ``W⁺x`` for inputs of either sign, where (3.34)
    takes ``Σ (x w)⁺``.
    """
    layers, x = weights((5, 7, 6, 3), seed), weights((4, 5), seed + 1)[0].abs()
    biases = offsets(layers, seed) if biased else None
    theirs = captum_by_sign(layers, lambda: Alpha1_Beta0_Rule(set_bias_to_zero=True), x, seed % 3, biases)
    ours = relevance(AlphaBeta(0.0), layers, x, seed % 3, biases)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-7)
    torch.testing.assert_close(ours, relevance(Taylor(), layers, x, seed % 3, biases))


def test_captums_default_is_another_rule():
    layers, x = weights((5, 7, 6, 3), 0), weights((4, 5), 1)[0]
    for given_x, biases in ((x.abs(), offsets(layers, 0)), (x, None)):
        theirs = captum_lrp(layers, Alpha1_Beta0_Rule, given_x, 0, biases)
        assert not torch.allclose(relevance(AlphaBeta(0.0), layers, given_x, 0, biases), theirs)


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        ([3.0, 1.0, -2.0], [2 * 1.5 * 0.75, 2 * 1.5 * 0.25, -2 * 0.5]),  # both signs: y = 2
        ([3.0, 1.0, 0.0], [3.0, 1.0, 0.0]),  # no negative part: α is 1
        ([3.0, 0.0, -5.0], [2 * 0.5, 0.0, -2 * 1.5]),  # y = −2: what speaks for it is negative
        ([0.0, 0.0, -2.0], [0.0, 0.0, -2.0]),  # no positive part: α is 1
    ],
)
def test_by_hand(weight, expected):
    torch.testing.assert_close(handed_down(weight, None), torch.tensor([expected]))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_a_bias_alone_decides_is_lost(sign):
    """No part has the output's sign: never more than there was, and the others get nothing to oppose."""
    assert not handed_down([-3.0 * sign, -1.0 * sign, 0.0], torch.tensor([5.0 * sign])).any()
    # 2 of 1 + 1 − 4 + 4: the positive parts are given all of it, and what opposes them takes β
    relevance = handed_down([1.0 * sign, 1.0 * sign, -4.0 * sign], torch.tensor([4.0 * sign]))
    torch.testing.assert_close(relevance, sign * torch.tensor([[1.5, 1.5, -1.0]]))


@given(seed=st.integers(0, 999), beta=st.sampled_from([0.0, 0.1, 0.5, 1.0]), biased=st.booleans())
def test_behind_a_relu_only_positive_sums_hand_on(seed, beta, biased):
    w, x = weights((5, 7), seed)[0], weights((4, 5), seed + 1)[0]
    bias = offsets([w], seed)[0] if biased else None
    parts = [[Part(matmul, x.clone().requires_grad_(), w, "signed")] for _ in range(2)]
    slow, fast = AlphaBeta(beta).affine(parts[0], bias).relu(), AlphaBeta(beta).rectified(parts[1], bias)
    assert torch.equal(slow, fast)
    grads = [torch.autograd.grad(y.sum(), part.x)[0] for y, (part,) in zip((slow, fast), parts, strict=True)]
    torch.testing.assert_close(*grads)


def handed_down(weight, bias):
    """The relevance of three inputs that are 1."""
    x = torch.ones(1, 3, requires_grad=True)
    AlphaBeta(0.5).affine([Part(matmul, x, torch.tensor(weight)[:, None], "positive")], bias).backward()
    return x.grad
