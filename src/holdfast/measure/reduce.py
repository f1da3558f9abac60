"""Reduction happens last and in one place: instances first, then members, and an interval over members.

Members are few and are what varies; instances are many and share the members. An interval over instances or
over pairs would treat them as independent and be far too narrow, so intervals here are a jackknife over
members with t(n − 1), or Student's t where each member has its own value.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.measure.pairing import Pairs


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % interval over ``n`` members; without ends where members are too few for one."""

    value: float
    low: float | None
    high: float | None
    n: int

    def within(self, least: float, most: float) -> "Interval":
        """The interval cut to the range that the measure can take; the value stays.

        >>> Interval(0.9, 0.6, 1.2, 3).within(0.0, 1.0)
        Interval(value=0.9, low=0.6, high=1.0, n=3)
        """
        least, most = min(least, self.value), max(most, self.value)  # a mean may be off by its rounding
        low, high = (None if end is None else min(max(end, least), most) for end in (self.low, self.high))
        return Interval(self.value, low, high, self.n)


@dataclass(frozen=True)
class Spread:
    """One value per member: their mean, sample standard deviation, and the 95 % interval of the mean."""

    values: tuple[float, ...]
    mean: float
    sd: float
    low: float | None
    high: float | None
    n: int


def jackknife(estimate: Callable[[Bool[Tensor, "n"]], float], n: int) -> Interval:
    """The estimate of all members, with the interval from leaving each member out.

    ``θ ± t₀.₉₇₅(n − 1) · √((n − 1)/n Σ (θ₋ᵢ − θ̄)²)`` (Efron & Tibshirani 1993, ch. 11); ``estimate`` is given
    which members to keep.

    >>> members = torch.tensor([1.0, 2.0, 3.0, 4.0])
    >>> jackknife(lambda keep: members[keep].mean().item(), 4).value
    2.5
    """
    kept = ~torch.eye(n, dtype=torch.bool)
    left = [estimate(row) for row in kept] if n > 2 else [0.0] * n
    return as_interval(
        torch.tensor(estimate(torch.ones(n, dtype=torch.bool)), dtype=torch.float64),
        torch.tensor(left, dtype=torch.float64),
    )


def jackknife_error(left: Float[Tensor, "n *B"]) -> Float[Tensor, "*B"]:
    """Half the width of the interval, from the estimates that leave one member out each."""
    return jackknife_variance(left).sqrt() * t_quantile(len(left) - 1)


def jackknife_variance(left: Float[Tensor, "n *B"]) -> Float[Tensor, "*B"]:
    """The variance of an estimate, from the estimates that leave one member out each."""
    n = len(left)
    return (left - left.mean(0)).square().sum(0) * (n - 1) / n


def as_interval(value: Tensor, left: Float[Tensor, "n"]) -> Interval:
    """The interval of a value; from two members there is none, as leaving one out leaves no pair."""
    n, middle = len(left), value.item()
    if n < 3:
        return Interval(middle, None, None, n)
    half = jackknife_error(left).item()
    return Interval(middle, middle - half, middle + half, n)


def leave_out(values: Float[Tensor, "P *B"], pairs: Pairs) -> tuple[Tensor, Tensor]:
    """The mean over all pairs, and the means that leave out every pair of one member, for each member.

    >>> values = torch.tensor([1.0, 2.0, 6.0])
    >>> whole, left = leave_out(values, Pairs(values[:, None], *torch.triu_indices(3, 3, 1), 3))
    >>> whole.item(), left.tolist()
    (3.0, [6.0, 2.0, 1.0])
    """
    table = values.double()
    total, of_member = table.sum(0), involving(table, pairs)
    count, rest = len(table), (pairs.n - 1) * (pairs.n - 2) // 2
    return total / count, (total - of_member) / max(rest, 1)


def involving(values: Float[Tensor, "P *B"], pairs: Pairs) -> Float[Tensor, "n *B"]:
    """The sum over the pairs of each member."""
    sums = values.new_zeros(pairs.n, *values.shape[1:])
    left, right = pairs.left.to(values.device), pairs.right.to(values.device)
    return sums.index_add(0, left, values).index_add(0, right, values)


def over_instances(
    values: Float[Tensor, "R B"], select: Bool[Tensor, "B"] | None = None
) -> Float[Tensor, "R"]:
    """The mean over (selected) instances of each row, in float64."""
    chosen = values if select is None else values[:, select.to(values.device)]
    if chosen.shape[1] == 0:
        raise BadSetting("expected at least one example to average over, but none is selected")
    return chosen.double().mean(1)


def over_pairs(pairs: Pairs, select: Bool[Tensor, "B"] | None = None) -> Interval:
    """The mean over instances, then over pairs, with its jackknife interval over members.

    >>> left, right = torch.triu_indices(4, 4, 1)
    >>> over_pairs(Pairs(torch.full((6, 2), 0.5), left, right, 4))
    Interval(value=0.5, low=0.5, high=0.5, n=4)
    """
    return as_interval(*leave_out(over_instances(pairs.values, select), pairs))


def mean_over_members(values: Float[Tensor, "M"]) -> Interval:
    """The mean of one value per member, with Student's t interval: ``x̄ ± t₀.₉₇₅(n − 1) · s/√n``.

    >>> mean_over_members(torch.tensor([1.0, 1.0, 1.0]))
    Interval(value=1.0, low=1.0, high=1.0, n=3)
    """
    over_members = spread(values)
    return Interval(over_members.mean, over_members.low, over_members.high, over_members.n)


def spread(values: Float[Tensor, "M"]) -> Spread:
    """Mean, sample standard deviation and t interval of one value per member."""
    x, n = values.double().cpu(), len(values)
    if n == 0:
        raise BadSetting("expected a value for at least one member, but got none")
    mean, each = x.mean().item(), tuple(x.tolist())
    if n == 1:
        return Spread(each, mean, 0.0, None, None, 1)
    sd = x.std().item()
    half = t_quantile(n - 1) * sd / n**0.5
    return Spread(each, mean, sd, mean - half, mean + half, n)


def t_quantile(freedom: float, level: float = 0.975) -> float:
    """The quantile of Student's t.

    >>> round(t_quantile(9), 3)
    2.262
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, level))
