"""The door through which an explainer rewrites layers. The rules themselves live in ``explain/rules``.

A rule is a *value-preserving rewrite* of a layer: the forward pass gives the same numbers, but its gradient
carries relevance, and relevance is input × gradient of the rewritten network. Layers therefore compute
through the functions below; without rules (``None``) they are the plain operations.

Under rules the embedded input may carry a leading axis of the rules' own (bounds of the pixels, for example):
models cut it with negative axes only and hand it to :func:`affine` as a part of domain ``input``, which is
the only place that looks inside.
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

    ``domain`` says what x is: what enters the network, behind a ReLU (never negative), or anything else; or
    no longer x, but what the rules have ``made`` of it ahead (:meth:`Rules.ahead`).
    """

    op: Callable[[Tensor, Tensor], Tensor]
    x: Tensor
    weight: Tensor
    domain: Domain


class Rules(ABC):
    """How relevance passes each kind of operation."""

    @abstractmethod
    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """``Σ op(x, weight) + bias``, rewritten; all parts share one denominator."""

    def rectified(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """``ReLU(Σ op(x, weight) + bias)``. What is closed hands nothing on, so that a rule may leave out
        what it would need for a negative sum."""
        return self.relu(self.affine(parts, bias))

    def ahead(self, part: Part, rectified: bool = False) -> Part:
        """A part of all steps of a recurrence, made as far as it can be before the steps are taken.

        Steps cut its x with negative axes, as before, and hand each piece to :meth:`affine` (``rectified``:
        to :meth:`rectified`) with the part's weight and domain, which is then ``made``. By default nothing
        is made ahead.
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
        """A gate or an attention weight: it scales what passes and is given no relevance."""


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
    """``ReLU(Σ op(x, weight) + bias)``: with rules cheaper than one after the other.

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
