"""Symmetric normalised DCG with a logarithmic discount."""

from dataclasses import dataclass

import torch
from torch import Tensor

from holdfast.core.compare.ndcg import Ndcg


@dataclass(frozen=True)
class NdcgLog(Ndcg):
    """Agreement of two orders that counts the top more, μ_log: ``DCG(X, Y) = Σ (n − r_X) / log₂(r_Y + 2)``.

    Scaled to [−1, 1] by the best and the worst order and averaged over both directions (Baumhauer §4.2; the
    printed check values mix ranks from 0 and from 1, hence ``first_rank``). Ranks are by |score|, or by the
    score itself where scores are signed; ties by position. Two constant rows (or rows of fewer than two
    positions) give 1, a constant row against one that varies 0.

    >>> import torch
    >>> first, valid = torch.tensor([4.0, 3.0, 2.0, 1.0]), torch.ones(4, dtype=torch.bool)
    >>> bottom, top = torch.tensor([4.0, 3.0, 1.0, 2.0]), torch.tensor([3.0, 4.0, 2.0, 1.0])
    >>> tuple(round(NdcgLog()(first, other, valid).item(), 3) for other in (bottom, top))
    (0.925, 0.599)
    >>> tuple(round(NdcgLog(first_rank=1)(first, other, valid).item(), 3) for other in (bottom, top))
    (0.891, 0.673)
    """

    def discount(self, rank: Tensor) -> Tensor:
        """``1 / log₂(r + 2)``."""
        return 1.0 / torch.log2(rank + self.first_rank + 2.0)
