"""LRP-γ, against captum where the output is positive, and its limits."""

import torch
from captum.attr._utils.lrp_rules import GammaRule
from hypothesis import assume, given
from hypothesis import strategies as st

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.epsilon import Epsilon
from holdfast.explain.rules.gamma import Gamma
from holdfast.explain.rules.taylor import Taylor
from tests.examples import fewer
from tests.explain.rules.net import captum_lrp, forward, offsets, relevance, weights


@given(seed=st.integers(0, 999), gamma=st.sampled_from([0.1, 0.25, 2.0]), biased=st.booleans())
def test_captum(seed, gamma, biased):
    """Inputs and the output are positive, biases negative: captum takes ``W⁺x`` for inputs of either sign,
    favours no negative part under a negative sum, and never favours a bias."""
    layers, x = weights((5, 7, 6, 3), seed), weights((4, 5), seed + 1)[0].abs()
    biases = [-bias.abs() for bias in offsets(layers, seed)] if biased else None
    x = x[forward(None, layers, x, biases)[:, seed % 3] > 0.01]
    assume(len(x))
    theirs = captum_lrp(layers, lambda: GammaRule(gamma), x, seed % 3, biases)
    ours = relevance(Gamma(gamma), layers, x, seed % 3, biases)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-7)


@fewer(2)
@given(seed=st.integers(0, 99))
def test_it_lies_between_epsilon_and_zplus(seed):
    layers, x = weights((5, 7, 3), seed), weights((4, 5), seed + 1)[0]
    none, plus = relevance(Epsilon(0.0), layers, x, 0), relevance(Taylor(), layers, x, 0)
    torch.testing.assert_close(relevance(Gamma(0.0), layers, x, 0), none)
    positive = forward(None, layers, x)[:, 0] > 0.01
    torch.testing.assert_close(
        relevance(Gamma(1e9), layers, x, 0)[positive], plus[positive], rtol=1e-5, atol=1e-6
    )


def test_a_negative_sum_cannot_divide_by_zero():
    x, weight = torch.tensor([[1.0, 1.0]], requires_grad=True), torch.tensor([[1.0], [-2.0]])
    out = Gamma(1.0).affine([Part(matmul, x, weight, "positive")], None)  # 1 − 2 + γ · 1 would be 0
    out.backward()
    assert out.item() == -1.0
    torch.testing.assert_close(x * x.grad, torch.tensor([[1.0 / 3, -4.0 / 3]]))
