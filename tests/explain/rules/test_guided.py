"""Guided ReLUs, alone, in a net beside captum's, and mapped."""

import captum.attr
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.func import grad, vmap

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.guided import Guided, GuidedRelu
from tests.examples import fewer
from tests.explain.rules.net import forward, weights


@pytest.mark.filterwarnings("ignore:Setting .*backward hooks:UserWarning")
@fewer(2)
@given(seed=st.integers(0, 999))
def test_captum(seed):
    layers, x = weights((5, 7, 6, 3), seed), weights((4, 5), seed + 1)[0]
    net = nn.Sequential(
        *(part for weight in layers for part in (nn.Linear(*weight.shape, bias=False), nn.ReLU()))
    )[:-1].double()
    for module, weight in zip(net[::2], layers, strict=True):
        module.weight.data = weight.T.clone()
    theirs = captum.attr.GuidedBackprop(net).attribute(x.clone().requires_grad_(), target=1)
    leaf = x.clone().requires_grad_()
    (ours,) = torch.autograd.grad(forward(Guided(), layers, leaf)[:, 1].sum(), leaf)
    torch.testing.assert_close(ours, theirs.detach())


def test_mapping():
    x, w = torch.randn(3, 5), torch.randn(3, 5)
    mapped = vmap(grad(lambda a, b: (GuidedRelu.apply(a) * b).sum()))(x, w)
    torch.testing.assert_close(mapped, w.relu() * (x > 0))


def test_everything_else_is_plain_but_for_constants():
    x = torch.randn(2, 3, requires_grad=True)
    rules = Guided()
    torch.testing.assert_close(rules.affine([Part(matmul, x, torch.eye(3), "signed")], torch.ones(3)), x + 1)
    torch.testing.assert_close(rules.activation("tanh", x), x.tanh())
    assert not rules.constant(x).requires_grad
