"""Who is near whom: are the nearest vectors of the same group, more often than any others are?"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.core.errors import BadSetting
from holdfast.measure.grouped import GROUPS, mean_over_both
from holdfast.measure.reduce import Interval

AT_ONCE = 512  # rows of the table of distances
ROUNDING = 1e-12  # of the longest vector's square: distances that differ by less are the same


@dataclass(frozen=True)
class Purity:
    """The ``share`` of the ``k`` nearest that are of the same group, ``base`` the share of all others that
    are, and by how much it exceeds that (``gain``), over ``n`` things; ``group`` is empty for all of them."""

    k: int
    group: str
    n: int
    share: Interval
    base: float
    gain: Interval


def purity(
    vectors: Float[Tensor, "M n d"],
    inside: Bool[Tensor, "n g"],
    groups: tuple[str, ...],
    ks: Sequence[int] = (10, 3),
) -> list[Purity]:
    """Of all things, then of each group: the mean share of the k nearest by Euclidean distance that share a
    group (Jain §3.1.6), against that of a random other one, ``(n_g − 1)/(n − 1)``.

    Things of no group are left out, also as neighbours. Intervals are over members and things.

    >>> line = torch.tensor([[[0.0], [1.0], [10.0], [11.0]]])
    >>> sides = torch.tensor([[True, False], [True, False], [False, True], [False, True]])
    >>> whole, *_ = purity(line, sides, ("left", "right"), ks=(1,))
    >>> whole.share.value, round(whole.base, 3)
    (1.0, 0.333)
    """
    known = inside.any(1)
    vectors, inside = vectors[:, known], inside[known]
    for k in ks:
        check_count(k, len(inside))
    shares = torch.stack([_shares(one, inside, ks) for one in vectors])
    base = _base(inside)
    parts = [("", 0, torch.ones(len(inside), dtype=torch.bool))]
    parts += [(name, place + 1, inside[:, place]) for place, name in enumerate(groups)]
    return [
        _purity(name, k, shares[:, number, chosen, column], base[chosen, column])
        for number, k in enumerate(ks)
        for name, column, chosen in parts
        if int(chosen.sum()) > 1
    ]


def nearest(vectors: Float[Tensor, "n d"], row: int, k: int) -> Int[Tensor, "k"]:
    """The ``k`` others that are nearest to one; of those at the same distance, the first.

    >>> nearest(torch.tensor([[0.0], [5.0], [1.0], [-1.0]]), 0, 2).tolist()
    [2, 3]
    """
    check_count(k, len(vectors))
    exact = vectors.double()
    distances = (exact - exact[row]).square().sum(1)
    distances[row] = torch.inf
    return distances.argsort(stable=True)[:k]


def check_count(k: int, things: int) -> None:
    """Refuse more neighbours than there are others."""
    if not 1 <= k < things:
        raise BadSetting(f"expected k from 1 to {things - 1}, as there are {things} things, but got {k}")


def _shares(
    vectors: Float[Tensor, "n d"], inside: Bool[Tensor, "n g"], ks: Sequence[int]
) -> Float[Tensor, "K n h"]:
    """Of each thing, the share of its nearest that share a group with it; then those in each group."""
    x, groups = vectors.double() - vectors.double().mean(0), inside.double()
    squares = x.square().sum(1)
    near = ROUNDING * float(squares.max())
    shares = []
    for rows in torch.split(torch.arange(len(x)), AT_ONCE):
        distances = squares[rows, None] + squares - 2 * x[rows] @ x.T
        distances[torch.arange(len(rows)), rows] = torch.inf
        values, places = distances.topk(max(ks) + 1, 1, largest=False)
        parts = []
        for k in ks:
            counts = _counts(groups[rows], groups[places[:, :k]])
            for tied in (values[:, k] - values[:, k - 1] <= near).nonzero()[:, 0].tolist():
                weights = _weights(distances[tied], float(values[tied, k - 1]), near, k)
                counts[tied] = weights @ _counts(groups[rows[tied], None].expand_as(groups), groups[:, None])
            parts.append(counts / k)
        shares.append(torch.stack(parts))
    return torch.cat(shares, 1)


def _counts(own: Float[Tensor, "b g"], others: Float[Tensor, "b k g"]) -> Float[Tensor, "b h"]:
    """How many of the others share a group with each, and how many are in each group."""
    same = (others @ own[..., None] > 0).sum(1)
    return torch.cat([same, others.sum(1)], 1)


def _weights(distances: Float[Tensor, "n"], last: float, near: float, k: int) -> Float[Tensor, "n"]:
    """Those that are as far as the k-th share the places that are left, so that no order decides."""
    before, tied = distances < last - near, (distances - last).abs() <= near
    return before + tied * ((k - before.sum()).double() / tied.sum())


def _base(inside: Bool[Tensor, "n g"]) -> Float[Tensor, "n h"]:
    """The same shares among all others."""
    groups, n = inside.double(), len(inside)
    same = torch.cat([(part @ groups.T > 0).sum(1) for part in torch.split(groups, AT_ONCE)])[:, None]
    return (torch.cat([same, groups.sum(0).expand(n, -1)], 1) - 1) / (n - 1)


def _purity(name: str, k: int, shares: Float[Tensor, "M n"], base: Float[Tensor, "n"]) -> Purity:
    n = len(base)
    group = permutation(n, None, "neighbour groups") % min(GROUPS, n)
    known = torch.ones_like(shares, dtype=torch.bool)
    share, gain = (mean_over_both(values, known, group) for values in (shares, shares - base))
    return Purity(k, name, n, share, float(base.mean()), gain)
