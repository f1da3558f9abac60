"""Comprehensiveness: how far the prediction falls without what scores point at most."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.measure.probes.deletion import Deletion, Fill


@dataclass(frozen=True)
class Comprehensiveness(Deletion):
    """A share of the parts is deleted, the highest scores first: 1, 5, 10, 20 and 50 %, rounded up
    (DeYoung et al. 2020).

    Parts are words or items, which then do not exist for any layer (the last one always stays), or with
    ``fill="background"`` the patches of an image: ``comprehensiveness:fill=background,patch=2``.
    """

    fill: Fill = "hole"
    shares: ClassVar[tuple[float, ...]] = (0.01, 0.05, 0.1, 0.2, 0.5)

    def counts(self, parts: Float[Tensor, "B K"]) -> list[Int[Tensor, "B 1"]]:
        """Nothing first, then each share of the parts that exist."""
        exist = (parts > -torch.inf).sum(-1, keepdim=True)
        some = [torch.ceil(exist * share - 1e-9).long() for share in self.shares]
        return [torch.zeros_like(exist), *some]
