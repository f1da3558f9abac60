"""Contrast: does an explanation say anything, and how concentrated is it?"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.compare.distribution import distribution
from holdfast.core.records import Explanation
from holdfast.measure.reduce import Interval, as_interval, mean_over_members
from holdfast.measure.shuffle import shuffled

STRIDE = 1_000_003
"""Between the shuffles of two members: more than any split has rows."""


@dataclass(frozen=True)
class Contrast:
    """How uneven the consensus is: 0 all positions alike, 1 all weight on one.

    ``kept`` is how much of the members' own contrast their consensus keeps, beyond what the consensus of
    shuffled members keeps: noise keeps nothing; a single member has nothing to keep. ``top`` is the share
    of the consensus' weight on the top tenth of the positions, ``even`` what it would be if all were alike.
    """

    consensus: Interval
    kept: Interval | None
    top: float
    even: float


def contrast_of(explanation: Explanation, rows: Int[Tensor, "B"] | None = None) -> Contrast | None:
    """The contrast of the members' consensus, mean over instances of two positions or more; None where there
    is none. Intervals are a jackknife over members; of a single member they are over instances."""
    mask = explanation.mask
    several = mask.sum(-1) > 1
    if not several.any():
        return None
    mask, scores = mask[several], explanation.scores[:, several].double()
    if len(scores) == 1:
        return _of_one(scores, mask)
    rows = torch.arange(len(mask), device=mask.device) if rows is None else rows.to(mask.device)[several]
    moved = torch.stack([shuffled(one, mask, rows + STRIDE * m, 0) for m, one in enumerate(scores)])
    weights, noise = (distribution(s, mask.expand_as(s), signed=False) for s in (scores, moved))
    single = contrast(weights, mask).mean(-1)
    together, floor = (_consensus(table, mask) for table in (weights, noise))
    n = len(scores)
    mean = torch.cat((single.mean()[None], (single.sum() - single) / max(n - 1, 1)))
    kept = (together - floor) / (mean - floor).clamp(min=1e-12)
    top, even = _top(weights.mean(0), mask)
    return Contrast(as_interval(together[0], together[1:]), as_interval(kept[0], kept[1:]), top, even)


def _of_one(scores: Float[Tensor, "1 B T"], mask: Bool[Tensor, "B T"]) -> Contrast:
    [weights] = distribution(scores, mask[None], signed=False)
    own = mean_over_members(contrast(weights, mask))
    return Contrast(replace(own.within(0.0, 1.0), n=1), None, *_top(weights, mask))


def contrast(weights: Float[Tensor, "*I T"], mask: Bool[Tensor, "*J T"]) -> Float[Tensor, "*I"]:
    """Total variation from even weights, as a share of the most that so many positions allow.

    >>> contrast(torch.tensor([[0.5, 0.5], [1.0, 0.0]]), torch.ones(2, 2) > 0)
    tensor([0., 1.])
    """
    count = mask.sum(-1).to(weights.dtype)
    even = mask / count[..., None].clamp(min=1)
    apart = (weights - even).abs().sum(-1) / 2
    return apart / (1 - 1 / count.clamp(min=2))


def _consensus(weights: Float[Tensor, "M B T"], mask: Tensor) -> Float[Tensor, "1+M"]:
    """The contrast of the mean of all members, then of the means that leave one out."""
    total, n = weights.sum(0), len(weights)
    means = [total / n, *((total - one) / max(n - 1, 1) for one in weights)]
    return torch.stack([contrast(mean, mask).mean() for mean in means])


def _top(weights: Float[Tensor, "B T"], mask: Tensor) -> tuple[float, float]:
    """The share of the weight on the top decile of positions, and the share of positions in that decile."""
    length = mask.sum(-1)
    decile = (length + 9) // 10
    ordered = weights.sort(-1, descending=True).values
    inside = torch.arange(weights.shape[-1], device=weights.device) < decile[:, None]
    share = torch.where(inside, ordered, 0.0).sum(-1).mean()
    even = (decile / length.clamp(min=1)).double().mean()
    return float(share), float(even)
