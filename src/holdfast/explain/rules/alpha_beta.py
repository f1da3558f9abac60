"""LRP-αβ."""

from collections.abc import Sequence

import torch
from torch import Tensor

from holdfast.core.rules import Part
from holdfast.explain.rules.base import Relevance, carry, share


class AlphaBeta(Relevance):
    """``y' = α z⁺ (y / z⁺) − β z⁻ (y / z⁻)``, the quotients constant (Chormai (3.34)).

    Where a unit has no negative part α is 1, or relevance would grow there.
    """

    def __init__(self, alpha: float, beta: float) -> None:
        super().__init__()
        self.alpha, self.beta = alpha, beta

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The sum, whose gradient tells what speaks for it from what speaks against it."""
        above, below = self.summed(parts)
        up, down = above.detach(), below.detach()
        y = up - down if bias is None else (up - down).add_(bias)
        against = share(y, down)
        alone = against.eq(0)  # no negative part; or y is 0, and nothing is passed at all
        out = carry(y, above, share(y, up).mul_(torch.where(alone, 1.0, self.alpha)))
        return out.add_((below - down).mul_(against.mul_(-self.beta)))

    def products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """What speaks for the sum, and what against it."""
        return self.sides(parts)
