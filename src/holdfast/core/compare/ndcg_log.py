"""Symmetric normalised DCG with a logarithmic discount."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.ndcg import both_directions, check_first_rank, gains_and_discounts


@dataclass(frozen=True)
class NdcgLog(Comparison):
    """Agreement of two orders that counts the top more, μ_log: ``DCG(X, Y) = Σ (n − r_X) / log₂(r_Y + 2)``.

    Scaled to [−1, 1] by the best and the worst order and averaged over both directions (Baumhauer §4.2; the
    printed check values mix ranks from 0 and from 1, hence ``first_rank``). Ranks of |score|, of the score
    itself where scores are signed; equal scores by position. Two constant rows (also: one position, or none)
    agree, 1; a constant row says nothing about one that varies, 0.

    >>> import torch
    >>> first, valid = torch.tensor([4.0, 3.0, 2.0, 1.0]), torch.ones(4, dtype=torch.bool)
    >>> bottom, top = torch.tensor([4.0, 3.0, 1.0, 2.0]), torch.tensor([3.0, 4.0, 2.0, 1.0])
    >>> tuple(round(NdcgLog()(first, other, valid).item(), 3) for other in (bottom, top))
    (0.925, 0.599)
    >>> tuple(round(NdcgLog(first_rank=1)(first, other, valid).item(), 3) for other in (bottom, top))
    (0.891, 0.673)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    first_rank: int = 0

    def __post_init__(self) -> None:
        check_first_rank("ndcg_log", self.first_rank)

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """Gains and discounts of every position."""
        return gains_and_discounts(scores, mask, signed, self._discount)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """The mean over both directions."""
        return both_directions(a, b)

    def _discount(self, rank: Tensor) -> Tensor:
        return 1.0 / torch.log2(rank + self.first_rank + 2.0)
