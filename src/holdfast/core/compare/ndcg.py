"""Symmetric normalised discounted cumulative gain: what :class:`NdcgLog` and :class:`NdcgLin` share."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.ranks import centre, correlation, keys, length, ranks, varies
from holdfast.core.errors import BadSetting

Discount = Callable[[Tensor], Tensor]


def check_first_rank(name: str, first_rank: int) -> None:
    """Ranks start at 0 or at 1: the document uses both."""
    if first_rank not in (0, 1):
        raise BadSetting(f"{name}: expected first_rank to be 0 or 1, but got {first_rank}")


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
