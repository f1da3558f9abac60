"""Jaccard distance of the first positions."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.topset import check_k, share, top
from holdfast.core.errors import BadSetting


@dataclass(frozen=True)
class Jaccard(Comparison):
    """Jaccard distance of the first n positions, ``n = ceil(fraction × length)``, or ``k`` where it is given.

    ``1 − |A ∩ B| / |A ∪ B|`` (Jain §4.1.2: the listing uses 10 %, the figures 20 %; Baumhauer §3.5.2 uses the
    index, 1 minus this distance, of the first 3). Positions are ranked by |score|, or by the score itself
    where scores are signed; ties by position.

    >>> import torch
    >>> p = torch.tensor([.1, .05, .001, .5, .15, .05, .05, .02, .009, .07])
    >>> q = torch.tensor([.03, .1, .1, .12, .48, .05, .05, .008, .002, .06])
    >>> Jaccard(fraction=0.2)(p, q, torch.ones(10, dtype=torch.bool))
    tensor(0.)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = False

    fraction: float = 0.2
    k: int | None = None

    def __post_init__(self) -> None:
        if self.k is not None and self.k < 1:
            raise BadSetting(f"jaccard: expected k of at least 1, but got {self.k}")
        if not 0.0 < self.fraction <= 1.0:
            raise BadSetting(f"jaccard: expected fraction above 0 and at most 1, but got {self.fraction}")

    def suits(self, longest: int) -> None:
        """Some example with more positions than k, where it is given."""
        if self.k is not None:
            check_k(self, self.k, longest)

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """1 at the first n positions."""
        if self.k is not None:
            return top(scores, mask, signed, torch.tensor(self.k, device=scores.device))
        length = mask.sum(-1, keepdim=True).to(torch.float64)
        # 0.28 × 25 is a hair above 7 in binary: without the slack its ceiling would be 8.
        return top(scores, mask, signed, torch.ceil(self.fraction * length - 1e-9).clamp(min=1.0))

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """One minus intersection over union."""
        both = (a * b).sum(-1)
        return 1.0 - share(both, a.sum(-1) + b.sum(-1) - both)
