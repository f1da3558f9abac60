"""Before and after, seed by seed: is the difference more than chance?"""

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.compare.ranks import average_ranks
from holdfast.core.errors import BadSetting, TooFewMembers
from holdfast.measure.hold import hold_members, leave_out_holds
from holdfast.measure.reduce import Interval, as_interval, mean_over_members
from holdfast.measure.scale import Scale, alike

EXACT = 50


@dataclass(frozen=True)
class Paired:
    """A value before and after, their difference with its 95 % interval, and Wilcoxon's two-sided p."""

    before: float
    after: float
    difference: Interval
    p: float


def paired(before: Float[Tensor, "M"], after: Float[Tensor, "M"]) -> Paired:
    """Compare one value per member before and after: Student's t for the interval, Wilcoxon for p.

    >>> paired(torch.tensor([0.5, 0.6, 0.7]), torch.tensor([0.6, 0.7, 0.8])).p
    0.25
    """
    if before.shape != after.shape or before.ndim != 1:
        raise BadSetting(
            "expected one value for each member before and after, "
            f"but got shapes {tuple(before.shape)} and {tuple(after.shape)}"
        )
    change = after.double() - before.double()
    return Paired(
        before.double().mean().item(),
        after.double().mean().item(),
        mean_over_members(change),
        wilcoxon(change),
    )


def paired_hold(before: Scale, after: Scale) -> Paired:
    """Compare the holds of two families over the members, and against the impostors, that both have.

    The interval is the jackknife of the difference, leaving the same member out of both. p is Wilcoxon's over
    the members' own holds; members share pairs, so read it beside the interval, not instead of it.
    """
    common = sum(member in after.members for member in before.members)
    if common < 2:
        raise TooFewMembers(f"comparing two runs needs two members that both have, but there are {common}")
    old, new = alike(before, after)
    (a, left_a), (b, left_b) = leave_out_holds(old), leave_out_holds(new)
    p = wilcoxon(hold_members(new) - hold_members(old))
    return Paired(a.item(), b.item(), as_interval(b - a, left_b - left_a), p)


def wilcoxon(
    differences: Float[Tensor, "N"], alternative: Literal["two-sided", "less", "greater"] = "two-sided"
) -> float:
    """Wilcoxon's signed-rank test: how likely so extreme a sum of ranks is if signs are random.

    Zeros are left out, ties share ranks; up to 50 differences the distribution is exact given the ranks, then
    normal. ``less`` tests whether differences are below 0 (Baumhauer: μ_log < μ_lin).

    >>> wilcoxon(torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]))
    0.0625
    """
    kept = differences.double().cpu()
    kept = kept[kept != 0]
    if len(kept) == 0:
        return 1.0
    rank = average_ranks(-kept.abs()) + 1
    positive = rank[kept > 0].sum().item()
    below, above = (_exact if len(kept) <= EXACT else _normal)(rank, positive)
    if alternative == "less":
        return below
    return above if alternative == "greater" else min(1.0, 2 * min(below, above))


def _exact(rank: Tensor, positive: float) -> tuple[float, float]:
    """P(sum ≤ positive) and P(sum ≥ positive) by counting sign patterns; ranks are doubled to be integers."""
    steps = (2 * rank).round().long().tolist()
    count = torch.zeros(sum(steps) + 1, dtype=torch.float64)
    count[0] = 1.0
    for step in steps:
        count[step:] = count[step:] + count[:-step].clone()
    at, patterns = round(2 * positive), 2.0 ** len(steps)
    return count[: at + 1].sum().item() / patterns, count[at:].sum().item() / patterns


def _normal(rank: Tensor, positive: float) -> tuple[float, float]:
    z = (positive - rank.sum() / 2) / (rank.square().sum() / 4).sqrt()
    # by the logarithm: `ndtr` itself rounds to 0 beyond eight deviations
    return torch.special.log_ndtr(z).exp().item(), torch.special.log_ndtr(-z).exp().item()
