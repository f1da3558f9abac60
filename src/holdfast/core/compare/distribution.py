"""Scores as a distribution over positions: what the divergences compare."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def distribution(
    scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
) -> Float[Tensor, "*I S"]:
    """``|score| / Σ |score|`` over valid positions; positive and negative parts as 2T cells when signed.

    Scores that are all 0 become uniform; a row without positions stays 0.

    >>> distribution(torch.tensor([3.0, -1.0, 9.0]), torch.tensor([True, True, False]), signed=False)
    tensor([0.7500, 0.2500, 0.0000])
    >>> distribution(torch.tensor([3.0, -1.0]), torch.tensor([True, True]), signed=True)
    tensor([0.7500, 0.0000, 0.0000, 0.2500])
    """
    kept = torch.where(mask, scores, 0.0)
    size, cells = kept.abs(), mask.to(scores.dtype).expand_as(kept)
    if signed:
        size = torch.cat((kept.clamp(min=0.0), (-kept).clamp(min=0.0)), -1)
        cells = torch.cat((cells, cells), -1)
    peak = size.amax(-1, keepdim=True)
    # Dividing by the peak first keeps the sum of huge or tiny scores finite and above 0.
    weight = torch.where(peak > 0, size / torch.where(peak > 0, peak, 1.0), cells)
    return weight / weight.sum(-1, keepdim=True).clamp(min=1.0)


def divergence(p: Float[Tensor, "*I S"], q: Float[Tensor, "*I S"], floor: float) -> Float[Tensor, "*I"]:
    """``KL(p‖q) = Σ p log(p / max(q, floor))`` in nats, never below 0.

    >>> divergence(torch.tensor([0.5, 0.5]), torch.tensor([0.25, 0.75]), 1e-12)
    tensor(0.1438)
    """
    return (torch.xlogy(p, p) - torch.xlogy(p, q.clamp(min=floor))).sum(-1).clamp(min=0.0)
