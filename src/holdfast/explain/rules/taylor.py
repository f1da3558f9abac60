"""z⁺ inside the network; z^β, w² or z⁺ at its input."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from holdfast.core.rules import Part
from holdfast.explain.rules.base import RelevanceRules, carry, share
from holdfast.explain.rules.joined import Term

Entry = Literal["zbeta", "wsquare", "zplus"]


def leaves(embedded: Tensor, exists: Tensor, entry: Entry, low: float = -1.0, high: float = 1.0) -> Tensor:
    """What the model reads as its input: with z^β ``(x, x − l, h − x)``, with w² ``(x, 1)``, else x.

    Relevance is the sum over this leading axis of leaf × gradient; x itself has none.

    >>> leaves(torch.tensor([[0.5]]), torch.ones(1, 1), "zbeta").flatten().tolist()
    [0.5, 1.5, 0.5]
    """
    if entry == "zbeta":
        over = (embedded - low) * exists
        return torch.stack([embedded, over, (high - low) * exists - over])
    if entry == "wsquare":
        return torch.stack([embedded, torch.ones_like(embedded) * exists])
    return embedded


class Taylor(RelevanceRules):
    """``y' = z (y / z)``, the quotient constant (Chormai §3.2.6, Table 3.1).

    Inside z is ``z⁺ = Σ (x w)⁺``. Where pixels in [l, h] enter, ``z = Σ x w − l w⁺ − h w⁻``, which is
    ``Σ (x − l) w⁺ + (h − x) (−w)⁺``; where unbounded values enter, ``z = Σ w²``. Parts share one z. Where y
    is negative, z is that of −y: z⁻ inside, and w⁺ and w⁻ change places at the pixels.
    """

    def __init__(self, entry: Entry = "zplus") -> None:
        super().__init__()
        self.entry = entry

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The sum, whose gradient is that of z times y / z."""
        whole, above, below = self.summed(parts)
        y = whole.detach() if bias is None else whole.detach() + bias
        z = torch.where(y >= 0, above, below)
        return carry(y, z, share(y, z.detach()))

    def rectified(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """The same behind a ReLU, where only z of positive sums is needed: about half the work."""
        whole, z = self.summed(parts, rectified=True)
        y = whole.detach() if bias is None else whole.detach() + bias
        return self.relu(carry(y, z, share(y, z.detach())))

    def products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """The sum itself, its z, and the z of its negative."""
        above, below = self.weights.both(self._terms(parts))
        if any(self._has_leaves(part) for part in parts):
            return self.total(parts), above, below
        return (above - below).detach(), above, below

    def rectified_products(self, parts: Sequence[Part]) -> tuple[Tensor, ...]:
        """The sum itself and its z."""
        return self.total(parts), self.weights.total(self._terms(parts))

    def value(self, part: Part) -> Tensor:
        """x, the first of the leaves where there are several."""
        return part.x[0] if self._has_leaves(part) else part.x

    def _has_leaves(self, part: Part) -> bool:
        return part.domain == "input" and self.entry != "zplus"

    def _terms(self, parts: Sequence[Part]) -> list[Term]:
        return [term for part in parts for term in self._of(part)]

    def _of(self, part: Part) -> list[Term]:
        if not self._has_leaves(part):
            return self.above(part)
        if self.entry == "wsquare":
            return [Term(part.op, part.x[1], part.weight, "square")]
        _, over, under = part.x.unbind(0)
        return [Term(part.op, over, part.weight, "up"), Term(part.op, under, part.weight, "down")]
