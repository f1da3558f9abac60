"""Is a quantity of predictions linked with miscalibration? Two readings of "miscalibrated", of one model.

By *bins*, predictions are as miscalibrated as their tenth of confidence is. That is what a reliability
diagram shows, but a bin *is* a confidence: whatever falls with confidence, as any effect on a probability
does by the sigmoid alone, falls with the miscalibration of a model that is over-confident where it is sure.

By *matching*, wrong predictions are held against right ones of the same class and confidence. Where a
quantity is lower for the wrong ones, the predictions with a low value of it are right less often than others
that are as sure: they are the over-confident ones. Confidence alone gives 0, and so do labels that have
nothing to do with the quantity.
"""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.measure.bins import confidence_bin
from holdfast.measure.reduce import Interval, jackknife_variance, t_quantile

BINS, LEAST, GROUPS = 10, 20, 20
NEAR = 5
"""Right predictions on either side of a wrong one that it is held against."""


def gap_correlation(
    quantity: Float[Tensor, "K"],
    confidence: Float[Tensor, "K"],
    right: Bool[Tensor, "K"],
    weight: Float[Tensor, "K"] | None = None,
) -> float:
    """The correlation of ``|confidence − accuracy|`` with the mean quantity over tenths of confidence, each
    counted as often as its predictions, or their ``weight``; NaN from fewer than three tenths with 20.

    >>> sure = torch.tensor([0.55, 0.75, 0.95]).repeat_interleave(20)
    >>> round(gap_correlation(1 - sure, sure, torch.tensor([True, False]).repeat(30)), 3)
    -1.0
    """
    w = torch.ones_like(confidence) if weight is None else weight.double()
    which = confidence_bin(confidence, BINS)

    def total(values: Tensor) -> Tensor:
        return values.new_zeros(BINS).index_add(0, which, values)

    enough = which.bincount(minlength=BINS) >= LEAST
    if int(enough.sum()) < 3:
        return math.nan
    count = total(w)[enough]
    gap = total(w * (confidence.double() - right.double()))[enough].abs() / count
    return _correlation(gap, total(w * quantity.double())[enough] / count, count)


def _correlation(x: Tensor, y: Tensor, weight: Tensor) -> float:
    """Pearson's, with weights; NaN where one of the two does not vary."""
    share = weight / weight.sum()
    a, b = (values - (share * values).sum() for values in (x, y))
    size = ((share * a * a).sum() * (share * b * b).sum()).sqrt().item()
    return (share * a * b).sum().item() / size if size > 1e-12 else math.nan


def wrong_beside_right(
    quantity: Float[Tensor, "K"],
    confidence: Float[Tensor, "K"],
    predicted: Int[Tensor, "K"],
    right: Bool[Tensor, "K"],
) -> float:
    """By which share the quantity is larger for wrong predictions than for right ones as sure of the same
    class: ``Σ (q_i − m_i) / Σ m_i`` over the wrong, ``m_i`` the mean of the five right ones that are next
    surer and the five next less sure. NaN from fewer than 20 of either.

    >>> sure = torch.linspace(0.5, 1.0, 80)
    >>> right = torch.tensor([True, True, False, True]).repeat(20)
    >>> round(wrong_beside_right((1 - sure) * (1 + right), sure, torch.zeros(80).long(), right), 2)
    -0.5
    """
    beside, other = [], []
    for number in sorted(set(predicted.tolist())):
        here = predicted == number
        if int((here & right).sum()) >= LEAST and int((here & ~right).sum()) >= LEAST:
            beside.append(_matched(quantity[here].double(), confidence[here], right[here]))
            other.append(quantity[here & ~right].double())
    if not beside:
        return math.nan
    mine, theirs = torch.cat(other).sum().item(), torch.cat(beside).sum().item()
    return mine / theirs - 1.0 if theirs > 0 else math.nan


def _matched(quantity: Tensor, confidence: Tensor, right: Tensor) -> Float[Tensor, "wrong"]:
    """For each wrong prediction the mean of the right ones that are next to it in confidence."""
    sure, order = confidence[right].double().sort()
    sums = torch.cat([quantity.new_zeros(1), quantity[right][order].cumsum(0)])
    place = torch.searchsorted(sure, confidence[~right].double())
    low, high = (place - NEAR).clamp(min=0), (place + NEAR).clamp(max=len(sure))
    return (sums[high] - sums[low]) / (high - low)


def over_both(
    whole: float, without_member: Float[Tensor, "M"], without_group: Float[Tensor, "G"]
) -> Interval:
    """An interval with the error of two choices, members and test examples: jackknives that leave out one
    member, and one of several groups of examples, with Welch's degrees of freedom. All members see the same
    examples, so that members alone would call a chance of these examples a link.

    >>> over_both(1.0, torch.tensor([1.0, 1.0, 1.0]), torch.tensor([1.0, 1.0]))
    Interval(value=1.0, low=1.0, high=1.0, n=3)
    """
    n = len(without_member)
    if n < 3:
        return Interval(whole, None, None, n)
    parts = [jackknife_variance(left.double()).item() for left in (without_member, without_group)]
    both, freedoms = sum(parts), (n - 1, len(without_group) - 1)
    if both == 0:
        return Interval(whole, whole, whole, n)
    freedom = both**2 / sum(part**2 / each for part, each in zip(parts, freedoms, strict=True))
    half = t_quantile(freedom) * math.sqrt(both)
    return Interval(whole, whole - half, whole + half, n)


def mean_over_both(table: Float[Tensor, "groups M"]) -> Interval | None:
    """Of each member's own value: the mean with that interval. The first row is of all examples, the others
    leave one group out; members without a number are left out, and from one there is nothing."""
    known = table[:, table.isfinite().all(0)].double()
    n = known.shape[1]
    if n < 2:
        return None
    left = (known[0].sum() - known[0]) / (n - 1)
    return over_both(known[0].mean().item(), left, known[1:].mean(1))


def examples_left(groups: Int[Tensor, "K"]) -> Bool[Tensor, "groups K"]:
    """All examples, then all but each group of them: example i is of group i modulo 20.

    >>> examples_left(torch.tensor([0, 1, 21])).sum(1)[:4].tolist()
    [3, 2, 1, 3]
    """
    which = groups % GROUPS
    return torch.stack([torch.ones_like(which, dtype=torch.bool), *(which != g for g in range(GROUPS))])
