"""Hold: how much of an explanation survives another member, measured against the nearest impostor.

``hold = min over impostors of 1 − Σ distance between members / Σ distance to the impostor``: 1 is the same
explanation again, 0 no better than something that knows nothing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.compare.tvd import Tvd
from holdfast.core.records import Explanation, Member
from holdfast.measure.impostors import Distances, Impostor
from holdfast.measure.pairing import Pairs, over_members
from holdfast.measure.reduce import Interval, jackknife_variance, leave_out, t_quantile

FEWEST = 30
"""An impostor that fewer instances have is dropped."""
GAP = 0.20
MOST = 50


@dataclass(frozen=True)
class Scale:
    """Distances between members, and to each impostor: computed once, used for every subset."""

    between: Pairs
    impostors: Mapping[str, Distances]
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Against:
    """The hold against one impostor. ``ratio`` is ln(Σ D / Σ R), ``error`` its standard error."""

    impostor: str
    value: float
    low: float | None
    high: float | None
    ratio: float
    error: float


@dataclass(frozen=True)
class Hold:
    """The hold against the nearest impostor, and against each of them.

    ``value``, ``low`` and ``high`` are the least over the impostors, so they may come from different ones;
    ``nearest`` is where the value comes from.
    """

    value: float
    low: float | None
    high: float | None
    nearest: str
    n: int
    against: tuple[Against, ...]

    @property
    def interval(self) -> Interval:
        """The same as an interval."""
        return Interval(self.value, self.low, self.high, self.n)


@dataclass(frozen=True)
class Groups:
    """Members split into two by average linkage; ``gap`` is how much farther apart the groups are than
    their own members, as a share of the distance to the nearest impostor."""

    smaller: tuple[Member, ...]
    gap: float

    @property
    def apart(self) -> bool:
        """Whether these are two groups, and not one."""
        return self.gap >= GAP


def scale_of(
    explanation: Explanation, impostors: Sequence[Impostor], rows: Int[Tensor, "B"] | None = None
) -> Scale:
    """All distances between members and to these impostors; an impostor of too few instances is left out."""
    tables = {impostor.name: impostor.distances(explanation, rows) for impostor in impostors}
    enough = min(FEWEST, len(explanation.mask))
    kept = {name: table for name, table in tables.items() if int(table.known.sum()) >= enough}
    return Scale(over_members(explanation, Tvd()), kept, explanation.members)


def hold(scale: Scale, select: Bool[Tensor, "B"] | None = None) -> Hold | None:
    """How much survives another member, over (selected) instances; None where no impostor is known there."""
    all_ = [_against(scale, name, select) for name in scale.impostors]
    against = tuple(one for one in all_ if one is not None)
    if not against:
        return None
    nearest = min(against, key=lambda one: one.value)
    low, high = (_least([getattr(one, end) for one in against]) for end in ("low", "high"))
    return Hold(nearest.value, low, high, nearest.impostor, scale.between.n, against)


def _least(ends: list[float | None]) -> float | None:
    known = [end for end in ends if end is not None]
    return min(known) if len(known) == len(ends) else None


def _against(scale: Scale, name: str, select: Tensor | None) -> Against | None:
    table = scale.impostors[name]
    chosen = table.known if select is None else table.known & select.to(table.known.device)
    if not chosen.any():
        return None
    near, far = (pairs.values[:, chosen].double() for pairs in (scale.between, table.pairs))
    if float(far.sum()) <= 0.0:
        return Against(name, 0.0, 0.0, 0.0, 0.0, 0.0)  # it does not depend on what was learned
    if float(near.sum()) <= 0.0:
        return Against(name, 1.0, None, None, -math.inf, math.inf)
    n = scale.between.n
    (whole_near, left_near), (whole_far, left_far) = (leave_out(v.sum(1), scale.between) for v in (near, far))
    ratio = float((whole_near / whole_far).log())
    if n < 3:
        return Against(name, 1 - math.exp(ratio), None, None, ratio, math.inf)
    error = math.sqrt(_of_members(left_near, left_far) + _of_instances(near, far))
    half = t_quantile(n - 1) * error
    ends = (1 - math.exp(min(ratio + half, 700.0)), 1 - math.exp(ratio - half))
    return Against(name, 1 - math.exp(ratio), *ends, ratio, error)


def _of_members(near: Float[Tensor, "n"], far: Float[Tensor, "n"]) -> float:
    """The jackknife's variance of the log ratio."""
    left = (near.clamp(min=1e-300) / far.clamp(min=1e-300)).log()
    return float(jackknife_variance(left))


def _of_instances(near: Float[Tensor, "P K"], far: Float[Tensor, "P K"]) -> float:
    """What the choice of instances adds to that variance."""
    d, r = near.mean(0), far.mean(0)
    if len(d) < 2:
        return 0.0
    return float((d / d.mean() - r / r.mean()).var() / len(d))


def groups_of(scale: Scale, select: Bool[Tensor, "B"] | None = None) -> Groups | None:
    """The members split into two by average linkage; None with fewer than three."""
    pairs = scale.between
    if pairs.n < 3:
        return None
    values = pairs.values if select is None else pairs.values[:, select.to(pairs.values.device)]
    table = torch.zeros(pairs.n, pairs.n, dtype=torch.float64)
    table[pairs.left, pairs.right] = values.double().mean(1).cpu()
    table += table.T.clone()
    one, two = _linked(table)
    smaller, larger = sorted((one, two), key=lambda group: (len(group), group))
    between = float(table[smaller][:, larger].mean())
    within = _mean_within(table, [smaller, larger])
    far = min(float(t.pairs.values[:, t.known].double().mean()) for t in scale.impostors.values())
    return Groups(tuple(scale.members[i] for i in smaller), (between - within) / far if far > 0 else 0.0)


def _linked(table: Float[Tensor, "n n"]) -> tuple[list[int], list[int]]:
    """The last two clusters of average linkage."""
    clusters = [[i] for i in range(len(table))]
    while len(clusters) > 2:
        ends = [(i, j) for i in range(len(clusters)) for j in range(i)]
        i, j = min(ends, key=lambda ij: float(table[clusters[ij[0]]][:, clusters[ij[1]]].mean()))
        clusters[j] += clusters.pop(i)
    return sorted(clusters[0]), sorted(clusters[1])


def _mean_within(table: Tensor, groups: list[list[int]]) -> float:
    inner = [float(table[i, j]) for group in groups for i in group for j in group if i < j]
    return sum(inner) / len(inner) if inner else 0.0


def members_to_settle(one: Against, n: int, limit: float) -> int | None:
    """About how many members would settle on which side of a limit this hold lies; None: more than 50.

    The least N with ``t(N − 1) · s · √(n / N) ≤ |L − ln(1 − limit)|``: an order of magnitude.

    >>> members_to_settle(Against("shuffled", 0.5, 0.3, 0.65, math.log(0.5), 0.1), 5, 0.4)
    9
    """
    distance = abs(one.ratio - math.log(1 - limit))
    for more in range(max(n + 1, 3), MOST + 1):
        if t_quantile(more - 1) * one.error * math.sqrt(n / more) <= distance:
            return more
    return None


def unseen_share(n: int) -> float:
    """How common odd members could be without one of ``n`` having been odd: ``1 − 0.05^(1/n)``.

    >>> round(unseen_share(10), 2)
    0.26
    """
    return 1.0 - math.pow(0.05, 1 / n)
