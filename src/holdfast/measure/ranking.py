"""How well a recommender finds the next item, from the rank of that item: one value per member.

Ranks count from 1, among sampled candidates or among all items; a tied candidate ranks before the target, so
that a constant model finds nothing. A sampled ranking can order systems differently from a full one (Krichene
& Rendle 2020): report both.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.train.objective import candidate_ranks

__all__ = ["candidate_ranks", "hr", "mrr", "ndcg"]


def hr(ranks: Int[Tensor, "*M N"], k: int = 10) -> Float[Tensor, "*M"]:
    """Hit rate: the share of targets among the first ``k``.

    With 101 candidates and k = 10 this is Baumhauer's recall@10 % (§3.2.4).

    >>> hr(torch.tensor([1, 3, 11]), k=10)
    tensor(0.6667, dtype=torch.float64)
    """
    _check(k)
    return (ranks <= k).double().mean(-1)


def ndcg(ranks: Int[Tensor, "*M N"], k: int = 10) -> Float[Tensor, "*M"]:
    """Normalised discounted cumulative gain of one relevant item: ``1 / log₂(rank + 1)``, 0 beyond ``k``.

    Jain §3.3; the best order gives 1, so nothing is left to normalise.

    >>> ndcg(torch.tensor([1, 3, 11]), k=10)
    tensor(0.5000, dtype=torch.float64)
    """
    _check(k)
    return torch.where(ranks <= k, 1.0 / torch.log2(ranks.double() + 1.0), 0.0).mean(-1)


def mrr(ranks: Int[Tensor, "*M N"]) -> Float[Tensor, "*M"]:
    """Mean reciprocal rank: the mean of ``1 / rank``.

    >>> mrr(torch.tensor([1, 2, 4]))
    tensor(0.5833, dtype=torch.float64)
    """
    return (1.0 / ranks.double()).mean(-1)


def _check(k: int) -> None:
    if k < 1:
        raise BadSetting(f"expected k of at least 1, but got {k}")
