"""Who is near a user, and what is near an item: what the vectors of every seed say, against chance.

A neighbour is named where most seeds have it among their nearest, and more of them than would if vectors said
nothing. What the nearest users took counts as a reason where it is more than users as active as they took: an
item that everybody takes says nothing about anybody's neighbours.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.splits import HELD
from holdfast.measure.neighbours import nearest
from holdfast.measure.reduce import mean_over_members

NEAREST = 10
LEVEL = 0.05
STRATA, IN_STRATUM = 10, 20  # users as active: at most ten groups, of about twenty users at least


@dataclass(frozen=True)
class Neighbour:
    """A user or an item, and how many seeds have it among the nearest."""

    name: str
    agree: int


@dataclass(frozen=True)
class Neighbourhood:
    """The users that most seeds have among the ``k`` nearest; ``overlap`` is the share of one seed's nearest
    that another has too, ``chance`` what that is for vectors that say nothing."""

    k: int
    named: tuple[Neighbour, ...]
    overlap: float | None
    chance: float


@dataclass(frozen=True)
class Taken:
    """How many of the ``k`` nearest users took an item: the mean over seeds with its interval, and how many
    of as many users as active as these; ``more`` where that is beyond chance and would be in other seeds."""

    k: int
    took: float
    low: float | None
    high: float | None
    expected: float
    more: bool


def neighbours(vectors: Float[Tensor, "M n d"], row: int) -> Int[Tensor, "M k"]:
    """The nearest of one thing in every seed: ten, but never more than half of all others."""
    k = min(NEAREST, max(1, (vectors.shape[1] - 1) // 2))
    return torch.stack([nearest(one, row, k) for one in vectors])


def neighbourhood(near: Int[Tensor, "M k"], others: int, name: Callable[[int], str]) -> Neighbourhood:
    """What seeds agree on, of the nearest ``others`` that each has.

    >>> near = torch.tensor([[3, 5], [3, 8], [3, 9]])
    >>> neighbourhood(near, 5000, str).named, round(neighbourhood(near, 5000, str).overlap, 2)
    ((Neighbour(name='3', agree=3),), 0.5)
    """
    seeds, k = near.shape
    counts = near.flatten().bincount().double()
    pairs = seeds * (seeds - 1) * k
    overlap = float((counts * (counts - 1)).sum()) / pairs if pairs else None
    named = agreeing(near, others, range(len(counts)), others, name)[:k]
    return Neighbourhood(k, named, overlap, k / others)


def agreeing(
    near: Int[Tensor, "M k"], others: int, among: Sequence[int], asked: int, name: Callable[[int], str]
) -> tuple[Neighbour, ...]:
    """Those of ``among`` that most seeds have among their nearest, those of most seeds first; more of them
    than would by chance in any of ``asked`` places, ``P(Binomial(M, k / others) ≥ agree) < 0.05 / asked``."""
    seeds, k = near.shape
    agree = {
        one: int((near == one).any(1).sum()) for one in sorted(set(near.flatten().tolist()) & set(among))
    }
    kept = [
        (one, count)
        for one, count in agree.items()
        if 2 * count > seeds and at_least(count, seeds, k / others) < LEVEL / max(asked, 1)
    ]
    return tuple(Neighbour(name(one), count) for one, count in sorted(kept, key=lambda pair: -pair[1]))


def taken(near: Int[Tensor, "M k"], who: "Who", item: int, asked: int = 1) -> Taken:
    """How many of the nearest took an item, and how many users as active would have."""
    k, takes = near.shape[1], who.takers(item)
    rates = who.rates(takes)
    took, expected = (values[near].sum(1) for values in (takes.double(), rates[who.stratum]))
    seen, gain = mean_over_members(took), mean_over_members(took - expected)
    chance = float(expected.mean()) / k
    by_luck = at_least(math.floor(seen.value + 1e-9), k, chance)
    more = gain.low is not None and gain.low > 0 and by_luck < LEVEL / asked
    span = seen.within(0.0, float(k))
    return Taken(k, seen.value, span.low, span.high, k * chance, more)


def at_least(count: int, of: int, chance: float) -> float:
    """``P(X ≥ count)`` for a binomial X.

    >>> round(at_least(2, 2, 0.1), 4), at_least(0, 2, 0.1)
    (0.01, 1.0)
    """
    from scipy.special import bdtrc

    return 1.0 if count < 1 else float(bdtrc(count - 1, of, chance))


class Who:
    """Who took what in training, and who is as active as whom; the user asked about is not counted."""

    def __init__(self, histories: Histories, user: int) -> None:
        sizes, users = histories.lengths - HELD, len(histories)
        owner = torch.arange(users).repeat_interleave(histories.lengths)
        trained = torch.arange(len(owner)) < (histories.ends - HELD)[owner]
        self.ids, self.owner, self.user = histories.ids[trained], owner[trained], user
        strata = min(STRATA, max(1, users // IN_STRATUM))
        ranks = torch.empty(users, dtype=torch.long)
        ranks[sizes.argsort(stable=True)] = torch.arange(users)
        self.stratum = ranks * strata // users

    def takers(self, item: int) -> Bool[Tensor, "n"]:
        """Which users took an item."""
        takes = torch.zeros(len(self.stratum), dtype=torch.bool)
        return takes.index_fill(0, self.owner[self.ids == item], True)

    def rates(self, takes: Bool[Tensor, "n"]) -> Float[Tensor, "s"]:
        """The share of each stratum, without the user, that took it."""
        others = torch.ones_like(takes, dtype=torch.double)
        others[self.user] = 0.0
        sums = [
            torch.zeros(int(self.stratum.max()) + 1, dtype=torch.double).index_add(0, self.stratum, each)
            for each in (others * takes, others)
        ]
        return sums[0] / sums[1].clamp(min=1.0)
