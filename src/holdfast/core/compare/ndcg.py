"""Symmetric normalised discounted cumulative gain: what :class:`NdcgLog` and :class:`NdcgLin` share."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.ranks import centre, correlation, keys, length, ranks, varies
from holdfast.core.errors import BadSetting
from holdfast.core.settings import name_of

Discount = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Ndcg(Comparison):
    """Two orders compared by gains and discounts; ``first_rank`` is 0 or 1: the document uses both."""

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    first_rank: int = 0

    def __post_init__(self) -> None:
        if self.first_rank not in (0, 1):
            name = name_of(type(self))
            raise BadSetting(f"{name}: expected first_rank to be 0 or 1, but got {self.first_rank}")

    @abstractmethod
    def discount(self, rank: Tensor) -> Tensor:
        """The discount of each rank."""

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """Gains and discounts of every position."""
        return gains_and_discounts(scores, mask, signed, self.discount)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """The mean over both directions."""
        return both_directions(a, b)


def gains_and_discounts(
    scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool, discount: Discount
) -> Float[Tensor, "*I S"]:
    """Centred gains beside centred discounts, scaled so that the best order gives 1.

    The gain n − r is linear in the rank, so turning an order round turns the sign of its centred gain: the
    worst order gives minus the best, and [worst, best] → [−1, 1] is one division by the best.
    """
    order = keys(scores, mask, signed)
    rank = ranks(order).to(scores.dtype)
    gain = centre(length(mask, rank) - rank, mask)
    worth = centre(discount(rank), mask)
    best = (gain * worth).sum(-1, keepdim=True)
    scale = torch.where(varies(order, mask), best.clamp(min=0.0).sqrt(), 0.0)
    return torch.cat((gain, worth), -1) * torch.where(
        scale > 0, 1.0 / torch.where(scale > 0, scale, 1.0), 0.0
    )


def both_directions(a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
    """``½ (gain_a · discount_b + gain_b · discount_a)``."""
    turned = b.roll(b.shape[-1] // 2, -1)
    return correlation((a * turned).sum(-1) / 2, a, b)
