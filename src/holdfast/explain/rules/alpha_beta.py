"""LRP-αβ."""

from collections.abc import Sequence

from torch import Tensor

from holdfast.core.rules import Part
from holdfast.explain.rules.base import RelevanceRules, carry, share


class AlphaBeta(RelevanceRules):
    """``y' = α z⁺ (y / z⁺) − β z⁻ (y / z⁻)``, the quotients constant, α = 1 + β (Chormai (3.34)).

    Where y is negative z⁺ and z⁻ change places, otherwise what speaks for y would count as speaking against
    it. Where all parts have y's sign α is 1, otherwise relevance would grow there; where none has it, because
    y's sign comes from the bias alone, nothing is passed on.
    """

    def __init__(self, beta: float) -> None:
        super().__init__()
        self.beta = beta

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The sum, whose gradient separates what speaks for it from what speaks against it."""
        y, above, below = self._sums(parts, bias)
        return self._handed_on(y, y.abs(), (y >= 0).to(y.dtype), above, below)

    def rectified(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The same behind a ReLU, where only positive sums matter."""
        y, above, below = self._sums(parts, bias)
        return self.relu(self._handed_on(y, y, 1.0, above, below))

    def products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """What speaks for the sum, and what against it."""
        return self.sides(parts)

    def _sums(self, parts: Sequence[Part], bias: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        above, below = self.summed(parts)
        y = (above - below).detach()
        return y if bias is None else y.add_(bias), above, below

    def _handed_on(
        self, y: Tensor, size: Tensor, positive: Tensor | float, above: Tensor, below: Tensor
    ) -> Tensor:
        to_above, to_below = share(size, above.detach()), share(size, below.detach())
        beside_above, beside_below = to_below.ne(0).to(y.dtype), to_above.ne(0).to(y.dtype)
        # α = 1 + β to the parts of y's sign, β to the others; no β without both
        to_above.mul_(beside_above.mul_(self.beta).add_(positive))
        to_below.mul_(beside_below.mul_(self.beta).add_(1.0).sub_(positive))
        return carry(y, above, to_above).sub_((below - below.detach()).mul_(to_below))
