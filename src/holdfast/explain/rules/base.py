"""What all relevance rules share: exact values, safe divisions, and weights split by sign once per call."""

from abc import abstractmethod
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from holdfast.core.rules import ACTIVATIONS, Part, Rules
from holdfast.explain.rules.joined import Term, Weights, sum_of


def share(y: Tensor, z: Tensor) -> Tensor:
    """``y / z`` for z ≥ 0, and 0 where z is too small to divide by: a unit without parts passes nothing on.

    >>> share(torch.tensor([3.0, 3.0]), torch.tensor([2.0, 0.0]))
    tensor([1.5000, 0.0000])
    """
    # 1 / ∞ is 0, which saves a second comparison
    return F.threshold(z, torch.finfo(z.dtype).tiny ** 0.5, torch.inf).reciprocal_().mul_(y)


def carry(y: Tensor, z: Tensor, ratio: Tensor) -> Tensor:
    """The value y exactly, with the gradient of ``z · ratio``; y and the ratio are constants.

    >>> z = torch.tensor([2.0], requires_grad=True)
    >>> out = carry(torch.tensor([5.0]), z, torch.tensor([2.5]))
    >>> out.backward()
    >>> out.tolist(), z.grad.tolist()
    ([5.0], [2.5])
    """
    # in place: for images these tensors are large, and allocating costs more than the arithmetic
    return (z - z.detach()).mul_(ratio).add_(y)


class RelevanceRules(Rules):
    """A rewrite whose input × gradient is relevance. Make a new one for each call: it caches split weights.

    A ReLU needs no rule; any other elementwise function is a scale ``f(x) / x``, held constant; so is a gate.
    """

    def __init__(self) -> None:
        self.weights = Weights()

    def relu(self, x: Tensor) -> Tensor:
        """Plain: where it is open it is the identity."""
        return x.relu()

    def activation(self, name: str, x: Tensor) -> Tensor:
        """``x · (f(x) / x)``, the quotient constant: all relevance passes."""
        inside = x.detach()
        y = ACTIVATIONS[name](inside)
        return carry(y, x, share(y * inside.sign(), inside.abs()))

    def constant(self, x: Tensor) -> Tensor:
        """Receives no relevance (Arras et al. 2017)."""
        return x.detach()

    def value(self, part: Part) -> Tensor:
        """The x of a part, without the extra leading axis of the rule."""
        return part.x

    @abstractmethod
    def products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """The sums over the parts that the rule works with; being sums, some can be computed ahead."""

    def rectified_products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """The sums it needs behind a ReLU, where fewer may do."""
        return self.products(parts)

    def ahead(self, part: Part, rectified: bool = False) -> Part:
        """The products of all steps at once, on a leading axis."""
        products = self.rectified_products if rectified else self.products
        return part._replace(x=torch.stack(products([part])), domain="made")

    def summed(self, parts: Sequence[Part], rectified: bool = False) -> tuple[Tensor, ...]:
        """The products of all parts, those made ahead included."""
        products = self.rectified_products if rectified else self.products
        made = [part.x.unbind(0) for part in parts if part.domain == "made"]
        rest = [part for part in parts if part.domain != "made"]
        new = [products(rest)] if rest else []
        return tuple(sum_of(each) for each in zip(*new, *made, strict=True))

    def total(self, parts: Sequence[Part]) -> Tensor:
        """``Σ op(x, weight)``, detached."""
        terms = [Term(part.op, self.value(part).detach(), part.weight, "plain") for part in parts]
        return self.weights.total(terms)

    def above(self, part: Part) -> list[Term]:
        """The terms of ``Σ (x w)⁺``; turned, those of ``−Σ (x w)⁻``, which is never negative either."""
        if part.domain == "positive":
            return [Term(part.op, part.x, part.weight, "up")]
        return [
            Term(part.op, part.x.relu(), part.weight, "up"),
            Term(part.op, (-part.x).relu(), part.weight, "down"),
        ]

    def sides(self, parts: Sequence[Part]) -> tuple[Tensor, Tensor]:
        """What speaks for the sum of the parts, and what against it."""
        return self.weights.both([term for part in parts for term in self.above(part)])
