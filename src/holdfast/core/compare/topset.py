"""Scores as a set of first positions."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.ranks import keys, ranks
from holdfast.core.errors import BadSetting
from holdfast.core.settings import name_of


def top(
    scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool, size: Tensor
) -> Float[Tensor, "*I T"]:
    """1 at the first ``size`` valid positions, else 0.

    >>> top(torch.tensor([0.1, 0.6, 0.3]), torch.tensor([True, True, True]), False, torch.tensor([2]))
    tensor([0., 1., 1.])
    """
    first = ranks(keys(scores, mask, signed)) < size
    return (first & mask).to(scores.dtype)


def clear_top(
    scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool, size: int
) -> Float[Tensor, "*I T"]:
    """1 at the valid positions whose score at most ``size`` positions reach, else 0; positions tied for the
    last place are all left out.

    >>> clear_top(torch.tensor([0.3, 0.6, 0.3]), torch.tensor([True, True, True]), False, 2)
    tensor([0., 1., 0.])
    """
    order = keys(scores, mask, signed)
    if order.shape[-1] <= size:
        return mask.to(scores.dtype).expand_as(order)
    # higher than the score in place size + 1: then at most `size` are as high
    above = order > order.topk(size + 1).values[..., -1:]
    return above.to(scores.dtype)


def check_k(method: object, k: int, longest: int) -> None:
    """Refuse a k that no example has more positions than: any two top sets would be the same."""
    if k >= longest:
        raise BadSetting(
            f"{name_of(type(method))}: expected k below {longest:,}, the positions of the longest example, "
            f"but got {k:,}: every position would be in the top k, so choose a smaller k"
        )


def share(part: Float[Tensor, "*I"], whole: Float[Tensor, "*I"]) -> Float[Tensor, "*I"]:
    """``part / whole``; 1 where there is nothing to share (two empty sets are the same set)."""
    return torch.where(whole > 0, part / whole.clamp(min=1.0), 1.0)
