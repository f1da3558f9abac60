"""The interface through which an explainer rewrites layers. The rules themselves live in ``explain/rules``.

A rule is a *value-preserving rewrite* of a layer: the forward pass gives the same numbers, but its gradient
carries relevance, and relevance is input × gradient of the rewritten network. Layers therefore compute
through the functions below; without rules (``None``) they are the plain operations.

Under rules the embedded input may have an extra leading axis (for the bounds of the pixels, for example):
models index it with negative axes only and pass it to :func:`affine` as a part of domain ``input``, the only
function that looks inside.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import torch
from torch import Tensor

Domain = Literal["input", "positive", "signed", "made"]
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"tanh": torch.tanh, "sigmoid": torch.sigmoid}


class Part(NamedTuple):
    """One term ``op(x, weight)`` of a layer; ``op`` is linear in each of its arguments.

    ``domain`` says what x is: the network's input, the output of a ReLU (never negative), anything else
    (``signed``), or products that the rules have ``made`` of x in advance (:meth:`Rules.ahead`).
    """

    op: Callable[[Tensor, Tensor], Tensor]
    x: Tensor
    weight: Tensor
    domain: Domain


class Rules(ABC):
    """How relevance passes through each kind of operation."""

    @abstractmethod
    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """``Σ op(x, weight) + bias``, rewritten; all parts share one denominator."""

    def rectified(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """``ReLU(Σ op(x, weight) + bias)``. A unit that is off passes no relevance on, so a rule may skip
        what it needs for negative sums only."""
        return self.relu(self.affine(parts, bias))

    def ahead(self, part: Part, rectified: bool = False) -> Part:
        """What of a part can be computed for all steps of a recurrence at once, before the first step.

        Each step slices the x of the result with negative axes, as before, and passes the slice to
        :meth:`affine` (``rectified``: to :meth:`rectified`) with the part's weight and domain, which is then
        ``made``. By default nothing is computed ahead.
        """
        return part

    @abstractmethod
    def relu(self, x: Tensor) -> Tensor:
        """A rectifier."""

    @abstractmethod
    def activation(self, name: str, x: Tensor) -> Tensor:
        """Another elementwise function, by its name in ``ACTIVATIONS``."""

    @abstractmethod
    def constant(self, x: Tensor) -> Tensor:
        """A gate or an attention weight: it scales what passes and receives no relevance."""


def matmul(x: Tensor, weight: Tensor) -> Tensor:
    """``x @ weight``: the ``op`` of a dense layer whose weight is (inputs, outputs)."""
    return x @ weight


def affine(rules: Rules | None, parts: Sequence[Part], bias: Tensor | None = None) -> Tensor:
    """``Σ op(x, weight) + bias``.

    >>> x = torch.tensor([[1.0, 2.0]])
    >>> affine(None, [Part(matmul, x, torch.eye(2), "signed")], torch.ones(2))
    tensor([[2., 3.]])
    """
    if rules is not None:
        return rules.affine(parts, bias)
    total = parts[0].op(parts[0].x, parts[0].weight)
    for part in parts[1:]:
        total = total + part.op(part.x, part.weight)
    return total if bias is None else total + bias


def rectified(rules: Rules | None, parts: Sequence[Part], bias: Tensor | None = None) -> Tensor:
    """``ReLU(Σ op(x, weight) + bias)``: under rules cheaper than ``relu`` after ``affine``.

    >>> rectified(None, [Part(matmul, torch.tensor([[1.0, -2.0]]), torch.eye(2), "signed")])
    tensor([[1., 0.]])
    """
    return affine(None, parts, bias).relu() if rules is None else rules.rectified(parts, bias)


def relu(rules: Rules | None, x: Tensor) -> Tensor:
    """``max(x, 0)``."""
    return x.relu() if rules is None else rules.relu(x)


def activation(rules: Rules | None, name: str, x: Tensor) -> Tensor:
    """An elementwise function of ``ACTIVATIONS``.

    >>> activation(None, "tanh", torch.zeros(1))
    tensor([0.])
    """
    return ACTIVATIONS[name](x) if rules is None else rules.activation(name, x)


def constant(rules: Rules | None, x: Tensor) -> Tensor:
    """A gate or an attention weight, which rules hold constant."""
    return x if rules is None else rules.constant(x)
