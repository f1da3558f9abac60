"""Does what an explanation points at matter to the model?"""

import math
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from holdfast.measure.question import Question, above, ends, not_asked, places
from holdfast.measure.reduce import Interval, jackknife_variance, t_quantile

MATTERS, LITTLE = 0.2, 0.5


@dataclass(frozen=True)
class Matters:
    """How much more the prediction falls in an explainer's order than in random order, as a share of what
    leave-one-out's own order gains; ``random`` and ``best`` are the falls themselves."""

    share: Interval
    drop: float
    random: float
    best: float


def matters(
    drop: Float[Tensor, "M B"], random: Float[Tensor, "M B"], best: Float[Tensor, "M B"]
) -> Matters | None:
    """Σ (drop − random) / Σ (best − random), with members (jackknife) and instances in its error; of a single
    member, instances alone.

    ``best`` is the fall in leave-one-out's order. None where even that falls no further than random order.

    >>> import torch
    >>> fall = torch.tensor([[0.3, 0.5], [0.4, 0.6], [0.35, 0.55]])
    >>> matters(fall, fall - 0.2, fall).share.value
    1.0
    """
    above, most = (table.double() - random.double() for table in (drop, best))
    if float(most.mean()) <= 0:
        return None
    share, n = float(above.mean() / most.mean()), len(above)
    interval = Interval(share, None, None, n)
    if n > 2 or n == 1 < above.shape[1]:
        of_members, freedom = (_of_members(above, most), n - 1) if n > 1 else (0.0, above.shape[1] - 1)
        half = t_quantile(freedom) * math.sqrt(of_members + _of_instances(above, most, share))
        interval = Interval(share, share - half, share + half, n)
    return Matters(interval, *(float(table.double().mean()) for table in (drop, random, best)))


def _of_members(above: Tensor, most: Tensor) -> float:
    """The jackknife's variance of the share."""
    a, b = above.mean(1), most.mean(1)
    left = (a.sum() - a) / (b.sum() - b)
    return float(jackknife_variance(left))


def _of_instances(above: Tensor, most: Tensor, share: float) -> float:
    """What the choice of instances adds to it."""
    rest = (above - share * most).mean(0) / most.mean()
    return float(rest.var() / len(rest)) if len(rest) > 1 else 0.0


def ask_matters(measured: Matters | None) -> Question:
    """Passed where the share lies above 0.2 with its whole interval; below 0.5 it matters little."""
    if measured is None:
        return not_asked("matters", "deleting in leave-one-out's order costs no more than deleting at random")
    share = measured.share
    little = ": it matters little" if MATTERS < share.value < LITTLE else ""
    only = " in this one model" if share.n == 1 else ""
    because = (
        f"deleting in its order costs {places(share.value)}{ends(share.low, share.high)} of what deleting in "
        f"leave-one-out's order does, beyond a random order{only}{little}"
    )
    return above("matters", share, MATTERS, "does not matter", because)
