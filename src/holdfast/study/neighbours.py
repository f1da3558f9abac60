"""Who is near a user, and what is near an item: what the vectors of every seed say, against chance.

A neighbour is named where most seeds have it among their nearest, and more of them than have users as active
(items as popular): vectors know how often something occurs before they know anything else. What the nearest
users took counts as a reason where it is more than users as active took: an item that everybody takes says
nothing about anybody's neighbours.
"""

import math
from collections.abc import Callable, Iterable
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
STRATA, IN_STRATUM = 10, 20


@dataclass(frozen=True)
class Neighbour:
    """A user or an item, and how many seeds have it among the nearest."""

    name: str
    agree: int


@dataclass(frozen=True)
class Neighbourhood:
    """The users that most seeds have among the ``k`` nearest; ``overlap`` is the share of one seed's nearest
    that another has too, ``chance`` what that is for vectors that know nothing but how active users are."""

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


def strata(sizes: Int[Tensor, "n"]) -> Int[Tensor, "n"]:
    """Things of about the same size share a stratum: at most ten, of about twenty things at least.

    >>> strata(torch.arange(60).flip(0))[[0, 30, 59]].tolist()
    [2, 1, 0]
    """
    n = len(sizes)
    ranks = torch.empty(n, dtype=torch.long)
    ranks[sizes.argsort(stable=True)] = torch.arange(n)
    return ranks * min(STRATA, max(1, n // IN_STRATUM)) // n


def chances(near: Int[Tensor, "M k"], stratum: Int[Tensor, "n"]) -> Float[Tensor, "n"]:
    """How likely each is among the nearest of a seed that knows nothing but the strata: as often as the
    others of its stratum are.

    >>> chances(torch.tensor([[0, 1], [0, 2]]), torch.tensor([0, 0, 1, 1])).tolist()
    [0.75, 0.75, 0.25, 0.25]
    """
    sizes = stratum.bincount()
    counts = stratum[near.flatten()].bincount(minlength=len(sizes))
    return (counts.double() / (len(near) * sizes))[stratum]


def neighbourhood(
    near: Int[Tensor, "M k"], stratum: Int[Tensor, "n"], name: Callable[[int], str]
) -> Neighbourhood:
    """What seeds agree on, of the users that each has nearest."""
    seeds, k = near.shape
    counts, pairs = near.flatten().bincount().double(), seeds * (seeds - 1) * k
    overlap = float((counts * (counts - 1)).sum()) / pairs if pairs else None
    others = range(len(stratum))
    named = agreeing(near, stratum, others, len(others), name)[:k]
    return Neighbourhood(k, named, overlap, float(chances(near, stratum).square().sum()) / k)


def agreeing(
    near: Int[Tensor, "M k"],
    stratum: Int[Tensor, "n"],
    among: Iterable[int],
    count: int,
    name: Callable[[int], str],
) -> tuple[Neighbour, ...]:
    """Those of ``among`` that most seeds have among their nearest, those of most seeds first; more of them
    than would by chance in any of ``asked`` places, ``P(Binomial(M, chance) ≥ agree) < 0.05 / asked``.

    >>> near, stratum = torch.tensor([[3, 5], [3, 8], [3, 9]]), torch.zeros(500, dtype=torch.long)
    >>> agreeing(near, stratum, range(500), 500, str)
    (Neighbour(name='3', agree=3),)
    """
    seeds, chance = len(near), chances(near, stratum).tolist()
    kept = []
    for one in sorted(set(near.flatten().tolist()) & set(among)):
        agree = int((near == one).any(1).sum())
        if 2 * agree > seeds and at_least(agree, seeds, chance[one]) < LEVEL / max(count, 1):
            kept.append((one, agree))
    return tuple(Neighbour(name(one), agree) for one, agree in sorted(kept, key=lambda pair: -pair[1]))


def taken(near: Int[Tensor, "M k"], who: "Who", item: int, count: int = 1) -> Taken:
    """How many of the nearest took an item, and how many users as active would have.

    It is ``more`` where the interval over seeds of the difference is above 0, and so many would be by chance
    with ``P(Binomial(e, rate) ≥ e · took / k) < 0.05 / asked``, e the number of different neighbours that the
    seeds amount to: k where all have the same, M k where no two have.
    """
    k, takes = near.shape[1], who.takers(item)
    rates = who.rates(takes)[who.stratum]
    took, expected = (values[near].sum(1) for values in (takes.double(), rates))
    seen, gain = mean_over_members(took), mean_over_members(took - expected)
    span, rate, people = seen.within(0.0, float(k)), float(expected.mean()) / k, different(near)
    by_luck = at_least(math.floor(people * seen.value / k + 1e-9), people, rate)
    more = gain.low is not None and gain.low > 0 and by_luck < LEVEL / count
    return Taken(k, seen.value, span.low, span.high, k * rate, more)


def different(near: Int[Tensor, "M k"]) -> int:
    """``(M k)² / Σ c²``, c how many seeds have each.

    >>> different(torch.tensor([[1, 2], [1, 2]])), different(torch.tensor([[1, 2], [3, 4]]))
    (2, 4)
    """
    return near.numel() ** 2 // int(near.flatten().bincount().square().sum())


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
        owner = torch.arange(len(histories)).repeat_interleave(histories.lengths)
        trained = torch.arange(len(owner)) < (histories.ends - HELD)[owner]
        self.ids, self.owner, self.user = histories.ids[trained], owner[trained], user
        self.stratum = strata(histories.lengths)

    def takers(self, item: int) -> Bool[Tensor, "n"]:
        """Which users took an item."""
        takes = torch.zeros(len(self.stratum), dtype=torch.bool)
        return takes.index_fill(0, self.owner[self.ids == item], True)

    def popularity(self, items: int) -> Int[Tensor, "I"]:
        """How often each item was taken, item 1 first."""
        return self.ids.long().bincount(minlength=items + 1)[1:]

    def rates(self, takes: Bool[Tensor, "n"]) -> Float[Tensor, "s"]:
        """The share of each stratum, without the user, that took it."""
        others = torch.ones_like(takes, dtype=torch.double)
        others[self.user] = 0.0
        sums = [
            torch.zeros(int(self.stratum.max()) + 1, dtype=torch.double).index_add(0, self.stratum, each)
            for each in (others * takes, others)
        ]
        return sums[0] / sums[1].clamp(min=1.0)
