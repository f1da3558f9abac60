"""LRP-γ."""

from collections.abc import Sequence

import torch
from torch import Tensor

from holdfast.core.rules import Part
from holdfast.explain.rules.base import RelevanceRules, carry, share


class Gamma(RelevanceRules):
    """``y' = Σ (x w + γ (x w)⁺) · y / (y + γ z⁺)``, the quotient constant (Montavon et al. 2019).

    Where y is negative its negative parts are favoured, so that the denominator cannot vanish. The bias is a
    part like the others; its share is lost.
    """

    def __init__(self, gamma: float) -> None:
        super().__init__()
        self.gamma = gamma

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The sum, whose gradient favours the parts that have its sign."""
        above, below = self.summed(parts)
        up, down = above.detach(), below.detach()
        y = up - down if bias is None else up - down + bias
        positive = y >= 0
        for_it = torch.where(positive, up, -down)
        if bias is not None:
            for_it = for_it + torch.where(positive, bias.relu(), -(-bias).relu())
        ratio = share(y.abs(), (y + self.gamma * for_it).abs())
        more = ratio * (1.0 + self.gamma)
        out = carry(y, above, torch.where(positive, more, ratio))
        return out.sub_((below - down).mul_(torch.where(positive, ratio, more)))

    def products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """What speaks for the sum, and what against it."""
        return self.sides(parts)
