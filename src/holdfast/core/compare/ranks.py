"""Scores as an order of positions: what the rank and top-set comparisons compare.

The order is by ``|score|``, and by the score itself where scores are signed (then the first position is the
one that speaks most *for* the target). Equal scores keep the order of their positions.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def keys(scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool) -> Float[Tensor, "*I T"]:
    """What positions are ordered by; masked ones come last."""
    return torch.where(mask, scores if signed else scores.abs(), -torch.inf)


def ranks(keys: Float[Tensor, "*I T"]) -> Int[Tensor, "*I T"]:
    """Ranks from 0, highest key first, equal keys by position.

    >>> ranks(torch.tensor([0.2, 0.7, 0.2]))
    tensor([1, 0, 2])
    """
    order = keys.argsort(dim=-1, descending=True, stable=True)
    places = torch.arange(keys.shape[-1], device=keys.device).expand_as(order)
    return torch.zeros_like(order).scatter(-1, order, places)


def average_ranks(keys: Float[Tensor, "*I T"]) -> Float[Tensor, "*I T"]:
    """Ranks from 0, highest key first, equal keys share the mean of their ranks.

    Ties broken forwards and backwards mirror each other within a tie, so their mean is the shared rank.

    >>> average_ranks(torch.tensor([0.2, 0.7, 0.2]))
    tensor([1.5000, 0.0000, 1.5000])
    """
    both = ranks(keys) + ranks(keys.flip(-1)).flip(-1)
    return both.to(keys.dtype) / 2


def centred_ranks(
    scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
) -> Float[Tensor, "*I T"]:
    """Shared ranks minus their mean, which is (n − 1)/2 whatever the ties: a constant row is exactly 0."""
    shared = average_ranks(keys(scores, mask, signed))
    return torch.where(mask, shared - (length(mask, shared) - 1.0) / 2, 0.0)


def length(mask: Bool[Tensor, "*I T"], like: Tensor) -> Float[Tensor, "*I 1"]:
    """How many positions count, in the dtype of ``like``."""
    return mask.sum(-1, keepdim=True).to(like.dtype)


def centre(values: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"]) -> Float[Tensor, "*I T"]:
    """Subtract the mean over valid positions; masked ones are 0."""
    kept = torch.where(mask, values, 0.0)
    return torch.where(mask, kept - kept.sum(-1, keepdim=True) / length(mask, values).clamp(min=1.0), 0.0)


def unit(values: Float[Tensor, "*I T"]) -> Float[Tensor, "*I T"]:
    """Scale to length 1; a row of zeros stays as it is."""
    peak = values.abs().amax(-1, keepdim=True)
    # Dividing by the peak first keeps the squares of huge or tiny values finite and above 0.
    scaled = values / torch.where(peak > 0, peak, 1.0)
    size = scaled.square().sum(-1, keepdim=True).sqrt()
    return scaled / torch.where(size > 0, size, 1.0)


def varies(keys: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"]) -> Bool[Tensor, "*I 1"]:
    """Whether the valid positions have more than one value: only then is there an order."""
    low = torch.where(mask, keys, torch.inf).amin(-1, keepdim=True)
    return keys.amax(-1, keepdim=True) > low


def correlation(value: Float[Tensor, "*I"], a: Tensor, b: Tensor) -> Float[Tensor, "*I"]:
    """``value`` within [−1, 1]; 1 where neither explanation has an order (both prepared as zeros)."""
    both_constant = ~((a != 0).any(-1) | (b != 0).any(-1))
    return torch.where(both_constant, 1.0, value.clamp(-1.0, 1.0))
