"""Hold: how much of an explanation survives another member, measured against the nearest impostor.

``hold = min over impostors of 1 − Σ distance between members / Σ distance to the impostor``: 1 is the same
explanation again, 0 no better than something that knows nothing.
"""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.measure.impostors import Distances
from holdfast.measure.reduce import Interval, involving, jackknife_variance, leave_out, t_quantile
from holdfast.measure.scale import Scale

MOST = 50
NOTHING = 1e-6
"""A distance below which an impostor is the explanation itself."""


@dataclass(frozen=True)
class Against:
    """The hold against one impostor. ``ratio`` is ln(Σ D / Σ R), ``error`` its standard error; ``drawn`` is
    the part of the hold's standard error that the draws of the impostor cause."""

    impostor: str
    value: float
    low: float | None
    high: float | None
    ratio: float
    error: float
    drawn: float = 0.0


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
    """Where members say the very same there is no interval, and another impostor's is the least."""
    return min((end for end in ends if end is not None), default=None)


def _against(scale: Scale, name: str, select: Tensor | None) -> Against | None:
    table = scale.impostors[name]
    chosen = table.known if select is None else table.known & select.to(table.known.device)
    if not chosen.any():
        return None
    near, far = (pairs.values[:, chosen].double() for pairs in (scale.between, table.pairs))
    if float(far.mean()) <= NOTHING:
        return Against(name, 0.0, 0.0, 0.0, 0.0, 0.0)  # it does not depend on what was learned
    if float(near.sum()) <= 0.0:
        return Against(name, 1.0, None, None, -math.inf, 0.0)  # the same again, in every member
    n = scale.between.n
    (whole_near, left_near), (whole_far, left_far) = (leave_out(v.sum(1), scale.between) for v in (near, far))
    ratio = float((whole_near / whole_far).log())
    of_draws = 0.0 if table.drawn is None else table.drawn.at(chosen).variance()
    drawn = math.exp(ratio) * math.sqrt(of_draws)
    if n < 3:
        return Against(name, 1 - math.exp(ratio), None, None, ratio, math.inf, drawn)
    error = math.sqrt(_of_members(left_near, left_far) + of_instances(near, far) + of_draws)
    half = t_quantile(n - 1) * error
    ends = (1 - math.exp(min(ratio + half, 700.0)), 1 - math.exp(ratio - half))
    return Against(name, 1 - math.exp(ratio), *ends, ratio, error, drawn)


def _of_members(near: Float[Tensor, "n"], far: Float[Tensor, "n"]) -> float:
    """The jackknife's variance of the log ratio."""
    return float(jackknife_variance(_log_ratio(near, far)))


def of_instances(near: Float[Tensor, "P K"], far: Float[Tensor, "P K"]) -> float:
    """What the choice of instances adds to that variance."""
    d, r = near.mean(0), far.mean(0)
    if len(d) < 2:
        return 0.0
    return float((d / d.mean() - r / r.mean()).var() / len(d))


@dataclass(frozen=True)
class EachHold:
    """The hold of every instance by itself, against the impostor that is nearest to all of them together.

    ``known`` says which instances have one; elsewhere the value is 0.
    """

    value: Float[Tensor, "B"]
    low: Float[Tensor, "B"] | None
    high: Float[Tensor, "B"] | None
    known: Bool[Tensor, "B"]
    n: int

    def interval(self, i: int) -> Interval | None:
        """The hold of one instance, None where it has none."""
        if not self.known[i]:
            return None
        low, high = (None if end is None else float(end[i]) for end in (self.low, self.high))
        return Interval(float(self.value[i]), low, high, self.n)


def hold_each(scale: Scale) -> EachHold:
    """The hold of every instance, with an interval over members."""
    nearest, count = _nearest(scale), scale.between.values.shape[1]
    if nearest is None:
        nothing = torch.zeros(count)
        return EachHold(nothing, None, None, nothing > 0, scale.between.n)
    near, far = scale.between, nearest.pairs
    (whole_near, left_near), (whole_far, left_far) = (leave_out(p.values, p) for p in (near, far))
    known = nearest.known & (whole_far > NOTHING)
    ratio = _log_ratio(whole_near, whole_far)
    value = torch.where(known, 1 - ratio.exp(), 0.0)
    if near.n < 3:
        return EachHold(value, None, None, known, near.n)
    half = t_quantile(near.n - 1) * jackknife_variance(_log_ratio(left_near, left_far)).sqrt()
    half = torch.where(whole_near > 0, half, 0.0)
    low, high = (torch.where(known, 1 - (ratio + h).clamp(max=700.0).exp(), 0.0) for h in (half, -half))
    return EachHold(value, low, high, known, near.n)


def hold_members(scale: Scale) -> Float[Tensor, "n"]:
    """The hold of each member against all others: which one is odd."""
    nearest = _nearest(scale)
    if nearest is None:
        return torch.zeros(scale.between.n, dtype=torch.float64)
    tables = (pairs.values[:, nearest.known].double().mean(1) for pairs in (scale.between, nearest.pairs))
    near, far = (involving(table, scale.between) for table in tables)
    return torch.where(far > 0, 1 - near / far.clamp(min=1e-300), 0.0)


def leave_out_holds(scale: Scale) -> tuple[Tensor, Float[Tensor, "n"]]:
    """The hold of all members against the nearest impostor, and the holds that leave out one member each."""
    nearest = _nearest(scale)
    if nearest is None:
        nothing = torch.zeros(scale.between.n + 1, dtype=torch.float64)
        return nothing[0], nothing[1:]
    tables = (pairs.values[:, nearest.known].double().mean(1) for pairs in (scale.between, nearest.pairs))
    (near, left_near), (far, left_far) = (leave_out(table, scale.between) for table in tables)
    return 1 - near / far.clamp(min=1e-300), 1 - left_near / left_far.clamp(min=1e-300)


def _nearest(scale: Scale) -> Distances | None:
    """The distances to the impostor that is nearest overall."""
    whole = hold(scale)
    return None if whole is None else scale.impostors[whole.nearest]


def _log_ratio(near: Tensor, far: Tensor) -> Tensor:
    return (near.double().clamp(min=1e-300) / far.double().clamp(min=1e-300)).log()


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
