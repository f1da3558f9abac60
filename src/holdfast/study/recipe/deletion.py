"""How far a model's predictions fall when positions are removed in the order of its scores."""

from collections.abc import Callable, Mapping

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import uniform
from holdfast.core.records import Member
from holdfast.measure.probes.faithfulness import ranked
from holdfast.measure.probes.shares import SHARES, counts_of

ORDERS = 4
"""Random orders of each row for each seed: ten seeds have forty."""
MOST = 50_000
"""Predictions of single rows for each seed; fewer rows are asked about where more would be needed."""
FEWEST = 20
"""Fewer rows say nothing, so that where positions are too many for these nothing is measured."""
Watch = Callable[[Tensor, Tensor], Tensor]  # places of rows, what is kept of each → the target's probability

RANDOM, ALONE = "random", "alone"


def affordable(mask: Bool[Tensor, "K P"], explainers: int) -> Int[Tensor, "R"]:
    """The places of the rows of which so many predictions can be asked, spread evenly over all; none where
    rows have too many positions.

    >>> len(affordable(torch.ones(200, 30).bool(), 1)), len(affordable(torch.ones(200, 784).bool(), 1))
    (200, 61)
    >>> affordable(torch.ones(200, 10_000).bool(), 1)
    tensor([], dtype=torch.int64)
    """
    each = int(mask.sum(1).max()) + len(SHARES) * (explainers + ORDERS + 1) + 1
    count = min(len(mask), MOST // each)
    if count < min(FEWEST, len(mask)):
        return torch.zeros(0, dtype=torch.long)
    return torch.linspace(0, len(mask) - 1, count).round().long()


def drops(
    watch: Watch, scores: Mapping[str, Float[Tensor, "K P"]], mask: Bool[Tensor, "K P"], seed: int
) -> dict[str, Float[Tensor, "R"]]:
    """The mean fall of the explained probability over shares of the positions, removed in the order of each
    of the ``scores``, the highest first; in ``random`` order; and in the order of what removing one position
    ``alone`` costs. The last position always stays. Empty where positions are too many.

    ``drop = f(x) − mean over 1, 5, 10, 20 and 50 % of f(x without the first of the order)``
    """
    rows = affordable(mask, len(scores))
    if not len(rows):
        return {}
    kept = mask[rows]
    whole = watch(rows, kept)
    drawn = uniform((ORDERS + 1, *kept.shape), Member(seed), "random order of a recipe")
    nothing = torch.where(kept, 0.0, -torch.inf).double()

    def fall(by: Tensor, luck: Tensor) -> Tensor:
        order = ranked(torch.where(kept, by, -torch.inf), luck)
        most = kept.sum(1, keepdim=True) - 1
        counts = [torch.minimum(count, most) for count in counts_of(order, SHARES)]
        left = [watch(rows, kept & (-order >= count)) for count in counts]
        return whole - torch.stack(left).mean(0)

    measured = {f"by/{name}": fall(table[rows], drawn[0]) for name, table in scores.items()}
    measured[RANDOM] = torch.stack([fall(nothing, luck) for luck in drawn[1:]]).mean(0)
    measured[ALONE] = fall(_alone(watch, rows, kept, whole), drawn[0])
    return measured


def _alone(
    watch: Watch, rows: Int[Tensor, "R"], kept: Bool[Tensor, "R P"], whole: Float[Tensor, "R"]
) -> Float[Tensor, "R P"]:
    """What removing each position by itself costs; of a row with one position nothing can be removed."""
    cost = torch.zeros(kept.shape, dtype=torch.float64)
    several = kept.sum(1) > 1
    for place in range(kept.shape[1]):
        some = (kept[:, place] & several).nonzero()[:, 0]
        if len(some):
            rest = kept[some].clone()
            rest[:, place] = False
            cost[some, place] = whole[some] - watch(rows[some], rest)
    return cost
