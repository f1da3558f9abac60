"""Comprehensiveness: how far the prediction falls without what scores point at most."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.measure.probes.removal import Fill, Removal
from holdfast.measure.probes.shares import SHARES, Shares, check_shares, counts_of


@dataclass(frozen=True)
class Comprehensiveness(Removal):
    """A share of the parts is deleted, the highest scores first, and the prediction should fall far (DeYoung
    et al. 2020).

    The mean of ``f(x) − f(x without them)`` over ``shares``, in percent, rounded up; higher is better. Parts
    are words or items, which then do not exist for any layer (the last one always stays), or with
    ``fill="background"`` the patches of an image: ``comprehensiveness:fill=background,patch=2``. Shares are
    written ``shares=1+5+10``, and ``of=evidence`` watches the logit instead of the probability.

    >>> import torch
    >>> Comprehensiveness(shares=(50,)).stay(torch.tensor([0.1, 0.3, 0.2, -torch.inf])).int().tolist()
    [[1, 1, 1, 0], [1, 0, 0, 0]]
    """

    fill: Fill = "hole"
    shares: Shares = SHARES

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shares("comprehensiveness", self.shares)

    def stay(self, parts: Float[Tensor, "*I K"]) -> Bool[Tensor, "*I S K"]:
        """All parts, then what is left without each share."""
        return self.without_first(parts, counts_of(parts, self.shares))
