"""Small feed-forward nets through the door, and captum's opinion of them."""

from itertools import pairwise, repeat

import torch
from captum.attr import LRP
from torch import nn

from holdfast.core.rules import Part, affine, matmul, relu


def weights(sizes, seed):
    """Dense layers (inputs, outputs)."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(a, b, generator=generator, dtype=torch.float64) for a, b in pairwise(sizes)]


def offsets(layers, seed):
    """A bias for each layer, of either sign."""
    generator = torch.Generator().manual_seed(1000 + seed)
    return [torch.randn(each.shape[1], generator=generator, dtype=torch.float64) for each in layers]


def forward(rules, layers, x, biases=None):
    """ReLU between the layers; the input is what enters."""
    for place, (weight, bias) in enumerate(zip(layers, biases or repeat(None, len(layers)), strict=True)):
        domain = "positive" if place else "input"
        x = affine(rules, [Part(matmul, x, weight, domain)], bias)
        x = relu(rules, x) if place + 1 < len(layers) else x
    return x


def relevance(rules, layers, x, target, biases=None):
    """Input × gradient of the rewritten net."""
    leaf = x.clone().requires_grad_()
    out = forward(rules, layers, leaf, biases)
    torch.testing.assert_close(out.detach(), forward(None, layers, x, biases))
    (slope,) = torch.autograd.grad(out[:, target].sum(), leaf)
    return leaf.detach() * slope


def captum_by_sign(layers, rule, x, target, biases=None):
    """captum's LRP; where the output is negative, that of the output turned round, turned back.

    captum never asks for the sign: it would call what speaks for a negative output what speaks against it.
    """
    turned = [*layers[:-1], -layers[-1]]
    turned_biases = None if biases is None else [*biases[:-1], -biases[-1]]
    return torch.where(
        forward(None, layers, x, biases)[:, [target]] >= 0,
        captum_lrp(layers, rule, x, target, biases),
        -captum_lrp(turned, rule, x, target, turned_biases),
    )


def captum_lrp(layers, rule, x, target, biases=None):
    """captum's LRP with one rule at every dense layer."""
    modules = []
    for place, weight in enumerate(layers):
        dense = nn.Linear(*weight.shape, bias=biases is not None, dtype=torch.float64)
        dense.weight.data = weight.T.clone()
        if biases is not None:
            dense.bias.data = biases[place].clone()
        dense.rule = rule()
        modules += [dense, nn.ReLU()]
    return LRP(nn.Sequential(*modules[:-1])).attribute(x.clone().requires_grad_(), target=target).detach()
