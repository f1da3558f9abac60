"""Is the confidence right where it is used? Accuracy against confidence, bin by bin."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.measure.bins import confidence_bin
from holdfast.measure.question import Question, places
from holdfast.measure.reduce import Interval, jackknife_variance, t_quantile

BINS, LEAST = 10, 100
TOLERANCE = 0.05
"""Half the width of a bin: nobody reads a confidence more finely than that."""


@dataclass(frozen=True)
class ConfidenceBin:
    """Answers with a confidence from ``low`` to ``high``: how sure and how right they are on average, how
    many a member gives, and the ``gap`` confidence − accuracy. Its interval holds for all bins at once; it
    has none where a member gives fewer than 100 answers, or where there are two members."""

    low: float
    high: float
    confidence: float
    accuracy: float
    count: float
    gap: Interval

    @property
    def beyond(self) -> float:
        """How far its interval lies beyond the tolerance; below 0 it reaches into it."""
        if self.gap.low is None or self.gap.high is None:
            return -math.inf
        return max(self.gap.low, -self.gap.high) - TOLERANCE


def confidence_bins(
    probabilities: Float[Tensor, "M K C"], targets: Int[Tensor, "K"], examples: int | None = None
) -> list[ConfidenceBin]:
    """Every bin that has answers, those of all members together.

    The interval of a gap has the error of two choices: members (jackknife) and test examples (of several
    answers in a row, where there are fewer ``examples``); the latter is taken to be at least that of right
    answers drawn with their confidences, as a hundred right ones in a row would seem to have none.
    Student's t with Welch's degrees of freedom, at 1 − 0.05 / (2 · number of bins) for each end (Bonferroni).

    >>> p = torch.tensor([[0.25, 0.75]]).repeat(3, 100, 1)
    >>> [one] = confidence_bins(p, torch.tensor([1, 0]).repeat(50))
    >>> one.low, one.accuracy, one.gap.value
    (0.7, 0.5, 0.25)
    """
    confidence, guess = probabilities.double().max(-1)
    right = (guess == targets.to(guess.device)).double()
    which, members = confidence_bin(confidence, BINS), len(confidence)
    inside = [which == place for place in range(BINS)]
    large = sum(float(mask.sum()) >= LEAST * members for mask in inside) if members > 2 else 0
    level = 1 - 0.025 / max(large, 1)
    rows = examples or confidence.shape[1]
    return [
        _bin(place, mask, confidence, right, level, rows) for place, mask in enumerate(inside) if mask.any()
    ]


def _bin(
    place: int, mask: Bool[Tensor, "M K"], confidence: Tensor, right: Tensor, level: float, rows: int
) -> ConfidenceBin:
    count, members = mask.sum(1).double(), len(mask)
    gaps = torch.where(mask, confidence - right, 0.0)
    total, value = float(count.sum()), float(gaps.sum() / count.sum())
    interval = Interval(value, None, None, members)
    if members > 2 and total >= LEAST * members:
        parts = (_of_members(gaps, count), _of_examples(gaps, mask, confidence, value, rows))
        half = _half(parts, (members - 1, total / members - 1), level)
        interval = Interval(value, value - half, value + half, members)
    sure, hit = (float(torch.where(mask, each, 0.0).sum()) / total for each in (confidence, right))
    return ConfidenceBin(place / BINS, (place + 1) / BINS, sure, hit, total / members, interval)


def _half(parts: tuple[float, float], freedoms: tuple[float, float], level: float) -> float:
    """Half the width of an interval whose variance has two parts (Welch 1947); 0 where neither varies."""
    both = sum(parts)
    if both == 0:
        return 0.0
    freedom = both**2 / sum(part**2 / own for part, own in zip(parts, freedoms, strict=True))
    return t_quantile(freedom, level) * math.sqrt(both)


def _of_members(gaps: Float[Tensor, "M K"], count: Float[Tensor, "M"]) -> float:
    """The jackknife's variance of the gap; a member alone in the bin leaves nothing out."""
    sums = gaps.sum(1)
    left = (sums.sum() - sums) / (count.sum() - count).clamp(min=1.0)
    return float(jackknife_variance(left))


def _of_examples(
    gaps: Float[Tensor, "M K"], mask: Tensor, confidence: Tensor, value: float, rows: int
) -> float:
    """What the choice of examples adds to it: seen, or expected of calibrated members that are right and
    wrong together, whichever is more."""
    rest = torch.where(mask, gaps - value, 0.0).sum(0).view(rows, -1).sum(1)
    expected = torch.where(mask, (confidence * (1 - confidence)).clamp(min=0.0).sqrt(), 0.0).sum(0)
    return max(float(rest.square().sum()), float(expected.square().sum())) / float(mask.sum()) ** 2


def ask_calibrated(bins: list[ConfidenceBin], of: str = "seed") -> Question:
    """A warning where the whole interval of a bin lies more than 0.05 from the diagonal; undecided where a
    bin lies so far from it but its interval does not, or where no bin has one; else passed. It never gives
    the verdict its word."""
    known = [one for one in bins if one.gap.low is not None]
    if not known:
        few = f"two {of}s give no margin of error" if bins and bins[0].gap.n < 3 else _FEW
        return Question("calibrated", "undecided", limit=TOLERANCE, because=few)
    worst = max(known, key=lambda one: (one.beyond > 0, one.beyond if one.beyond > 0 else abs(one.gap.value)))
    numbers = (worst.gap.value, worst.gap.low, worst.gap.high, TOLERANCE)
    if worst.beyond > 0:
        return Question("calibrated", "warning", *numbers, because=_apart(worst))
    if abs(worst.gap.value) > TOLERANCE:
        return Question("calibrated", "undecided", *numbers, because=_perhaps(worst))
    return Question("calibrated", "passed", *numbers, because=_near(known))


_FEW = f"no confidence bin has {LEAST} test examples"


def _apart(one: ConfidenceBin) -> str:
    """Where, which way and how far."""
    return f"{_where(one, 'are')}; {TOLERANCE} is the most"


def _perhaps(one: ConfidenceBin) -> str:
    """The same, where it may be chance."""
    return f"{_where(one, 'look')}, which may be chance; {TOLERANCE} is the most"


def _where(one: ConfidenceBin, are: str) -> str:
    sign = 1.0 if one.gap.value > 0 else -1.0
    low, high = sorted(sign * (end or 0.0) for end in (one.gap.low, one.gap.high))
    way = "over-confident" if one.gap.value > 0 else "under-confident"
    return (
        f"at confidences of {one.low:.1f} to {one.high:.1f} the models {are} {way}: {one.confidence:.2f} "
        f"sure and {one.accuracy:.2f} right, {abs(one.gap.value):.2f} [{low:.2f}, {high:.2f}] apart"
    )


def _near(known: list[ConfidenceBin]) -> str:
    """How many were looked at, and what could have gone unseen."""
    halves = [one.gap.high - one.gap.value for one in known if one.gap.high is not None]
    unseen = places(TOLERANCE + max(halves, default=0.0))
    has = "has" if len(known) == 1 else "have"
    looked = f"{len(known)} of {BINS} confidence bins {has} {LEAST} test examples or more, and none of them"
    return f"{looked} lies more than {TOLERANCE} from the diagonal; a gap of up to {unseen} could go unseen"
