"""LRP-ε."""

from collections.abc import Sequence

import torch
from torch import Tensor

from holdfast.core.rules import Part
from holdfast.explain.rules.base import RelevanceRules, carry
from holdfast.explain.rules.joined import Term


class Epsilon(RelevanceRules):
    """``y' = z · y / (y + ε sign y)`` of ``z = Σ x w``, the quotient constant (Bach et al. 2015).

    The shares of the bias and of ε are lost.
    """

    def __init__(self, epsilon: float) -> None:
        super().__init__()
        self.epsilon = epsilon

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The sum, whose gradient is damped where it is small."""
        (z,) = self.summed(parts)
        y = z.detach() if bias is None else z.detach() + bias
        size = y.abs()
        return carry(y, z, torch.where(size > 0, size / (size + self.epsilon), 0.0))

    def products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """z."""
        return (self.weights.total([Term(part.op, part.x, part.weight, "plain") for part in parts]),)
