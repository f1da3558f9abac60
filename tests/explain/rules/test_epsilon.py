"""LRP-ε, against captum and the formula."""

import torch
from captum.attr._utils.lrp_rules import EpsilonRule
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.epsilon import Epsilon
from tests.explain.rules.net import captum_lrp, offsets, relevance, weights


@given(seed=st.integers(0, 999), epsilon=st.sampled_from([1e-9, 0.01, 0.5]), biased=st.booleans())
def test_captum(seed, epsilon, biased):
    layers, x = weights((5, 7, 6, 3), seed), weights((4, 5), seed + 1)[0]
    biases = offsets(layers, seed) if biased else None
    theirs = captum_lrp(layers, lambda: EpsilonRule(epsilon), x, seed % 3, biases)
    torch.testing.assert_close(relevance(Epsilon(epsilon), layers, x, seed % 3, biases), theirs)


def test_the_bias_keeps_its_share():
    x, weight = torch.tensor([[1.0, 2.0]], requires_grad=True), torch.tensor([[1.0], [1.0]])
    out = Epsilon(0.0).affine([Part(matmul, x, weight, "signed")], torch.tensor([3.0]))
    out.backward()
    assert out.item() == 6.0
    assert (x * x.grad).tolist() == [[1.0, 2.0]]


def test_a_sum_of_nothing_passes_nothing():
    x = torch.zeros(1, 2, requires_grad=True)
    Epsilon(0.0).affine([Part(matmul, x, torch.ones(2, 1), "signed")], None).backward()
    assert x.grad.tolist() == [[0.0, 0.0]]
