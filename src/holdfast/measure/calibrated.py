"""Is the confidence right where it is used? Accuracy against confidence, bin by bin."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.measure.answer_sums import Graded, answer_sums, graded
from holdfast.measure.question import Question, places
from holdfast.measure.reduce import Interval, jackknife_variance, t_quantile

BINS, LEAST = 10, 100
TOLERANCE = 0.05
"""Half the width of a bin: nobody reads a confidence more finely than that."""


@dataclass(frozen=True)
class ConfidenceBin:
    """Answers with a confidence from ``low`` to ``high``: how sure and how right they are on average, how
    many a member gives, and the ``gap`` confidence − accuracy. Its interval holds for all bins at once; it
    has none where a member gives fewer than 100 answers, or where there are two members; of a single one it
    is over examples alone."""

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
    answers = [graded(member, targets, BINS) for member in probabilities]
    each = [answer_sums(one, examples or len(one.bin), BINS) for one in answers]
    number, gap = torch.stack([one.number for one in each]), torch.stack([one.gap for one in each])
    sure, right = (torch.stack(sums).sum(0) for sums in zip(*(one[2:] for one in each), strict=True))
    totals = zip(sure.tolist(), right.tolist(), _expected(answers).tolist(), strict=True)
    bins = [_Answers(number[..., b], -gap[..., b], *one) for b, one in enumerate(totals)]
    level = 1 - 0.025 / max(sum(one.enough for one in bins), 1)
    return [_bin(place, one, level) for place, one in enumerate(bins) if one.total]


class _Answers(NamedTuple):
    """Those of one bin: how many each member gives to each example, and by how much it is surer than right,
    summed; all confidences and right answers, summed; and the squares that are expected of the gaps."""

    number: Float[Tensor, "M n"]
    gap: Float[Tensor, "M n"]
    confidence: float
    right: float
    expected: float

    @property
    def total(self) -> float:
        """How many there are."""
        return float(self.number.sum())

    @property
    def enough(self) -> bool:
        """Whether they are enough for an interval."""
        members = len(self.number)
        return members != 2 and self.total >= LEAST * members


def _expected(answers: Sequence[Graded]) -> Float[Tensor, "bins"]:
    """``Σ_k (Σ_m √(c (1 − c)))²`` of each bin: the gaps of members that are right and wrong together."""
    size = len(answers[0].bin)
    place = torch.arange(size, device=answers[0].bin.device)
    spread = answers[0].confidence.new_zeros(BINS * size)
    for sure, bin, _ in answers:
        spread.index_add_(0, bin * size + place, (sure * (1 - sure)).clamp(min=0.0).sqrt())
    return spread.view(BINS, size).square().sum(1)


def _bin(place: int, answers: _Answers, level: float) -> ConfidenceBin:
    members, total = len(answers.number), answers.total
    value = float(answers.gap.sum()) / total
    interval = Interval(value, None, None, members)
    if answers.enough:
        parts = (_of_members(answers), _of_examples(answers, value))
        half = _half(parts, (members - 1, total / members - 1), level)
        interval = Interval(value, value - half, value + half, members)
    sure, hit = answers.confidence / total, answers.right / total
    return ConfidenceBin(place / BINS, (place + 1) / BINS, sure, hit, total / members, interval)


def _half(parts: tuple[float, float], freedoms: tuple[float, float], level: float) -> float:
    """Half the width of an interval whose variance has two parts (Welch 1947); 0 where neither varies."""
    both = sum(parts)
    if both == 0:
        return 0.0
    freedom = both**2 / sum(part**2 / own for part, own in zip(parts, freedoms, strict=True) if part)
    return t_quantile(freedom, level) * math.sqrt(both)


def _of_members(answers: _Answers) -> float:
    """The jackknife's variance of the gap; a member alone in the bin leaves nothing out."""
    sums, count = answers.gap.sum(1), answers.number.sum(1)
    left = (sums.sum() - sums) / (count.sum() - count).clamp(min=1.0)
    return float(jackknife_variance(left))


def _of_examples(answers: _Answers, value: float) -> float:
    """What the choice of examples adds to it: seen, or expected of calibrated members that are right and
    wrong together, whichever is more."""
    rest = (answers.gap - value * answers.number).sum(0)
    return max(float(rest.square().sum()), answers.expected) / answers.total**2


def ask_calibrated(bins: list[ConfidenceBin], of: str = "seed") -> Question:
    """A warning where the whole interval of a bin lies more than 0.05 from the diagonal; undecided where a
    bin lies so far from it but its interval does not, or where no bin has one; else passed. It never gives
    the verdict its word."""
    known = [one for one in bins if one.gap.low is not None]
    if not known:
        few = f"two {of}s give no margin of error" if bins and bins[0].gap.n == 2 else _FEW
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
