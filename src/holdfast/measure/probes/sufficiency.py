"""Sufficiency: how far the prediction falls with nothing but what scores point at most."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.ranks import ranks
from holdfast.measure.probes.removal import Fill, Removal
from holdfast.measure.probes.shares import SHARES, Shares, check_shares, counts_of


@dataclass(frozen=True)
class Sufficiency(Removal):
    """Only a share of the parts stays, the highest scores, and the prediction should hardly fall (DeYoung et
    al. 2020).

    The mean of ``f(x) − f(only them)`` over ``shares``, in percent, rounded up; lower is better. The other
    words or items then do not exist for any layer; with ``fill="background"`` the other patches of an image
    are painted over: ``sufficiency:fill=background,patch=2``. Shares are written ``shares=1+5+10``, and
    ``of=evidence`` watches the logit instead of the probability.

    >>> Sufficiency(shares=(50,)).stay(torch.tensor([0.1, 0.3, 0.2, -torch.inf])).int().tolist()
    [[1, 1, 1, 0], [0, 1, 1, 0]]
    """

    higher_is_better: ClassVar[bool] = False

    fill: Fill = "hole"
    shares: Shares = SHARES

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shares("sufficiency", self.shares)

    def stay(self, parts: Float[Tensor, "*I K"]) -> Bool[Tensor, "*I S K"]:
        """All parts, then each share alone."""
        rank, exist = ranks(parts), parts > -torch.inf
        return torch.stack([exist, *(exist & (rank < n) for n in counts_of(parts, self.shares))], -2)
