"""Guided backpropagation."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from holdfast.core.rules import ACTIVATIONS, Part, Rules, affine


class GuidedRelu(torch.autograd.Function):
    """A ReLU whose backward pass lets only positive gradients through, where it was open.

    >>> x = torch.tensor([1.0, 1.0, -1.0], requires_grad=True)
    >>> (GuidedRelu.apply(x) * torch.tensor([2.0, -2.0, 2.0])).sum().backward()
    >>> x.grad.tolist()
    [2.0, 0.0, 0.0]
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.relu()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, slope.relu(), 0.0)


class Guided(Rules):
    """Plain layers with guided ReLUs (Springenberg et al. 2015); gates have no slope (Chormai §4.4)."""

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The plain sum."""
        return affine(None, parts, bias)

    def relu(self, x: Tensor) -> Tensor:
        """The guided one."""
        guided: Tensor = GuidedRelu.apply(x)  # type: ignore[no-untyped-call]
        return guided

    def activation(self, name: str, x: Tensor) -> Tensor:
        """The plain function."""
        return ACTIVATIONS[name](x)

    def constant(self, x: Tensor) -> Tensor:
        """No slope."""
        return x.detach()
