"""Kendall's rank correlation."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.ranks import centred_ranks, correlation


@dataclass(frozen=True)
class Kendall(Comparison):
    """Kendall's τ-b: concordant minus discordant pairs of positions, corrected for ties.

    ``Σ sign(aᵢ − aⱼ) sign(bᵢ − bⱼ) / √(Σ |sign(aᵢ − aⱼ)| · Σ |sign(bᵢ − bⱼ)|)`` over i < j. It compares
    |score|, or the score itself where scores are signed. Two constant rows (or rows of fewer than two
    positions) give 1, a constant row against one that varies 0. The cost grows with the square of the length.

    >>> import torch
    >>> p, q = torch.tensor([0.4, 0.3, 0.2, 0.1]), torch.tensor([0.3, 0.4, 0.2, 0.1])
    >>> Kendall()(p, q, torch.ones(4, dtype=torch.bool))
    tensor(0.6667)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """Centred ranks (zeros: no order), and behind them the root of the number of untied pairs."""
        rank = centred_ranks(scores, mask, signed)
        return torch.cat((rank, concordance(rank, rank, mask)[..., None].sqrt()), -1)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """τ-b."""
        scale = a[..., -1] * b[..., -1]
        agree = concordance(a[..., :-1], b[..., :-1], mask)
        return correlation(agree / torch.where(scale > 0, scale, 1.0), a, b)


def concordance(
    a: Float[Tensor, "*I T"], b: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"]
) -> Float[Tensor, "*I"]:
    """Concordant minus discordant pairs, one distance at a time: a table of all pairs would be too large.

    >>> concordance(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 3.0, 2.0]), torch.ones(3) > 0)
    tensor(1.)
    """
    # Positions first: slices are then contiguous, which halves the time.
    x, y, valid = (t.movedim(-1, 0).contiguous() for t in (a, b, mask.to(a.dtype)))
    total = torch.zeros_like(x[0] * y[0])
    for step in range(1, len(x)):
        sign = torch.sign((x[step:] - x[:-step]) * (y[step:] - y[:-step]))
        total = total + (sign * (valid[step:] * valid[:-step])).sum(0)
    return total
