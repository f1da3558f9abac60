"""A number with the error of two choices, and its p: what every claim is made of.

Members (seeds or folds) are one choice, the examples that all of them explain are another. So the error of a
number comes from two jackknives: one leaves out a member, the other a group of examples, each from every
family at once, and their variances are added. What a member does with an example of its own is counted in
both: intervals are a little too wide rather than too narrow.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.measure.reduce import Interval, t_quantile

FARTHEST = math.log(1e12)  # from 1, that a ratio is said to be


class Estimate(NamedTuple):
    """Numbers with their standard errors and the degrees of freedom of those; no error where nothing can be
    left out. ``n`` counts members."""

    value: Float[Tensor, "P"]
    error: Float[Tensor, "P"] | None
    freedom: int
    n: int

    def interval(self, place: int = 0) -> Interval:
        """One of the numbers with its 95 % interval."""
        value = self.value[place].item()
        if self.error is None:
            return Interval(value, None, None, self.n)
        half = t_quantile(self.freedom) * self.error[place].item()
        return Interval(value, value - half, value + half, self.n)


def two_jackknives(
    number: Callable[[Bool[Tensor, "M"], Bool[Tensor, "G"]], Float[Tensor, "P"]], members: int, groups: int
) -> Estimate:
    """A number of members and groups of examples, with the error of both choices:
    ``V = V_members + V_groups``, ``V_m = (m − 1)/m Σ (θ₋ᵢ − θ̄)²`` (Efron & Tibshirani 1993, ch. 11), degrees
    of freedom those of the fewer.

    ``number`` is given which to keep. One group is none: then over members alone.

    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> estimate = two_jackknives(lambda m, g: table[m][:, g].mean()[None], 2, 2)
    >>> estimate.value.item(), round(estimate.error.item() ** 2, 3), estimate.freedom
    (2.5, 1.25, 1)
    """
    all_members, all_groups = torch.ones(members, dtype=torch.bool), torch.ones(groups, dtype=torch.bool)
    value = number(all_members, all_groups)
    if members < 2:
        return Estimate(value, None, 0, members)
    square = _variance([number(keep, all_groups) for keep in ~torch.eye(members, dtype=torch.bool)])
    if groups < 2:
        return Estimate(value, square.sqrt(), members - 1, members)
    square = square + _variance([number(all_members, keep) for keep in ~torch.eye(groups, dtype=torch.bool)])
    return Estimate(value, square.sqrt(), min(members, groups) - 1, members)


def p_values(estimate: Estimate, least: float) -> tuple[float | None, float | None]:
    """p of no effect, and of one of at least ``least``.

    Of several numbers all must be above 0: the largest p speaks for the claim (an intersection of tests needs
    no correction), the smallest, corrected by their number, against it. From two members there is none.
    """
    if estimate.error is None or estimate.freedom < 2:
        return None, None
    none, enough = [], []
    for value, error in zip(estimate.value.tolist(), estimate.error.tolist(), strict=True):
        none.append(p_value(value, error, estimate.freedom) if value > 0 or len(estimate.value) == 1 else 1.0)
        short = least - value
        enough.append(p_value(short, error, estimate.freedom) if short > 0 else 1.0)
    return max(none), min(1.0, len(enough) * min(enough))


def p_value(value: float, error: float, freedom: int) -> float:
    """Student's two-sided p of a value with this standard error.

    >>> round(p_value(2.365, 1.0, 7), 3)
    0.05
    """
    from scipy.special import stdtr

    if error == 0:
        return 1.0 if value == 0 else 0.0
    return float(2 * stdtr(freedom, -abs(value) / error))


def as_cut(estimate: Estimate, place: int = 0) -> Interval:
    """How much smaller a number became, ``1 − after / before``, from an estimate of ``ln(before / after)``:
    no end of it is beyond all of it.

    >>> cut = as_cut(Estimate(torch.tensor([0.7]), torch.tensor([0.9]), 9, 10))
    >>> round(cut.value, 2), round(cut.low, 2), round(cut.high, 2)
    (0.5, -2.8, 0.94)
    """
    ends = estimate.interval(place)
    value, low, high = (
        None if end is None else -math.expm1(-end) for end in (ends.value, ends.low, ends.high)
    )
    assert value is not None
    return Interval(value, low, high, ends.n)


def as_ratio(estimate: Estimate, place: int = 0) -> Interval:
    """How many times as large one number is as another, from an estimate of ``ln(first / second)``; between
    1e-12 and 1e12.

    >>> ratio = as_ratio(Estimate(torch.tensor([0.7]), torch.tensor([0.9]), 9, 10))
    >>> round(ratio.value, 2), round(ratio.low, 2), round(ratio.high, 1)
    (2.01, 0.26, 15.4)
    """
    ends = estimate.interval(place)
    value, low, high = (
        None if end is None else math.exp(min(max(end, -FARTHEST), FARTHEST))
        for end in (ends.value, ends.low, ends.high)
    )
    assert value is not None
    return Interval(value, low, high, ends.n)


def together(estimates: Sequence[Estimate]) -> Estimate:
    """Numbers that were estimated one by one, as one estimate: without errors where one of them has none.

    >>> one = Estimate(torch.tensor([0.7]), torch.tensor([0.9]), 9, 10)
    >>> together([one, one._replace(freedom=4)]).freedom
    4
    """
    errors = [one.error for one in estimates if one.error is not None]
    return Estimate(
        torch.cat([one.value for one in estimates]),
        torch.cat(errors) if len(errors) == len(estimates) else None,
        min(one.freedom for one in estimates),
        min(one.n for one in estimates),
    )


def _variance(left: Sequence[Tensor]) -> Float[Tensor, "P"]:
    each = torch.stack(list(left))
    return (each - each.mean(0)).square().sum(0) * (len(each) - 1) / len(each)
