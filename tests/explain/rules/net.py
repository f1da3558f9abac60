"""Small feed-forward nets through the door, and captum's opinion of them."""

from itertools import pairwise

import torch
from captum.attr import LRP
from torch import nn

from holdfast.core.rules import Part, affine, matmul, relu


def weights(sizes, seed):
    """Dense layers (inputs, outputs), without biases."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(a, b, generator=generator, dtype=torch.float64) for a, b in pairwise(sizes)]


def forward(rules, layers, x):
    """ReLU between the layers; the input is what enters."""
    for place, weight in enumerate(layers):
        domain = "positive" if place else "input"
        x = affine(rules, [Part(matmul, x, weight, domain)])
        x = relu(rules, x) if place + 1 < len(layers) else x
    return x


def relevance(rules, layers, x, target):
    """Input × gradient of the rewritten net."""
    leaf = x.clone().requires_grad_()
    out = forward(rules, layers, leaf)
    torch.testing.assert_close(out.detach(), forward(None, layers, x))
    (slope,) = torch.autograd.grad(out[:, target].sum(), leaf)
    return leaf.detach() * slope


def captum_lrp(layers, rule, x, target):
    """captum's LRP with one rule at every dense layer."""
    modules = []
    for weight in layers:
        dense = nn.Linear(*weight.shape, bias=False, dtype=torch.float64)
        dense.weight.data = weight.T.clone()
        dense.rule = rule()
        modules += [dense, nn.ReLU()]
    return LRP(nn.Sequential(*modules[:-1])).attribute(x.clone().requires_grad_(), target=target).detach()
