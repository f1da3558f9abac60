"""Exact values, safe quotients, constants."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.rules.base import carry, share
from holdfast.explain.rules.epsilon import Epsilon
from holdfast.explain.rules.gamma import Gamma
from holdfast.explain.rules.taylor import Taylor

number = st.floats(-1e6, 1e6, allow_nan=False)


@given(y=number, z=st.floats(0.0, 1e6))
def test_carry_keeps_the_value_to_the_last_bit(y, z):
    y, z = torch.tensor([y], dtype=torch.float64), torch.tensor([z], dtype=torch.float64, requires_grad=True)
    ratio = share(y, z.detach())
    out = carry(y, z, ratio)
    assert torch.equal(out.detach(), y)
    out.backward()
    assert torch.equal(z.grad, ratio)
    assert ratio.isfinite().all()


def test_bend_hands_on_all_relevance():
    x = torch.tensor([-2.0, 0.0, 1e-30, 0.5], requires_grad=True)
    out = Epsilon(0.0).activation("tanh", x)
    assert torch.equal(out.detach(), x.detach().tanh())
    out.sum().backward()
    torch.testing.assert_close(x.detach() * x.grad, x.detach().tanh(), rtol=1e-6, atol=1e-29)


def test_a_constant_has_no_gradient():
    assert not Epsilon(0.0).constant(torch.ones(1, requires_grad=True)).requires_grad


@pytest.mark.parametrize(
    "rules",
    [Epsilon(0.1), Gamma(0.25), AlphaBeta(0.5), Taylor("zplus")],
    ids=lambda one: type(one).__name__,
)
def test_what_is_made_ahead_changes_nothing(rules):
    x, state = torch.randn(3, 4, 5).double(), torch.rand(3, 2).double()
    w, v, bias = torch.randn(5, 6).double(), torch.randn(2, 6).double(), torch.randn(6).double()
    leaves = [x.clone().requires_grad_() for _ in range(2)]
    ahead = rules.ahead(Part(matmul, leaves[0], w, "input"))
    assert ahead.domain == "made"
    other = Part(matmul, state, v, "positive")
    made = [rules.affine([ahead._replace(x=step), other], bias) for step in ahead.x.unbind(-2)]
    plain = [rules.affine([Part(matmul, step, w, "input"), other], bias) for step in leaves[1].unbind(-2)]
    torch.testing.assert_close(torch.stack(made), torch.stack(plain))
    slopes = [
        torch.autograd.grad(torch.stack(steps).square().sum(), leaf)[0]
        for steps, leaf in zip((made, plain), leaves, strict=True)
    ]
    torch.testing.assert_close(*slopes)
    alone = [
        rules.affine([part], bias)
        for part in (ahead._replace(x=ahead.x[..., 0, :]), Part(matmul, x[:, 0], w, "input"))
    ]
    torch.testing.assert_close(*alone)
