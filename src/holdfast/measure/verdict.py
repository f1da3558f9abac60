"""The verdict: does the explanation hold? One number between two measured anchors, and a word."""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.records import Explanation, Member
from holdfast.measure.pairing import Pairs, against_shuffled, over_members
from holdfast.measure.reduce import (
    Interval,
    as_interval,
    involving,
    jackknife_error,
    leave_out,
    over_instances,
)

Word = Literal["holds", "shaky", "does not hold", "says nothing"]
HOLDS, SHAKY, NOTHING = 0.8, 0.5, 1e-3
BY = JensenShannon()


@dataclass(frozen=True)
class Scale:
    """The two tables a hold is made of, computed once and used for every bin: pairs, and pairs shuffled."""

    pairs: Pairs
    shuffled: Pairs
    same: float
    members: tuple[Member, ...]

    def cpu(self) -> "Scale":
        """The same scale in main memory."""
        return Scale(self.pairs.cpu(), self.shuffled.cpu(), self.same, self.members)

    def keep(self, members: tuple[Member, ...]) -> "Scale":
        """The same scale for some of the members."""
        index = [self.members.index(member) for member in members]
        return Scale(self.pairs.keep(index), self.shuffled.keep(index), self.same, members)


@dataclass(frozen=True)
class Verdict:
    """A word, the number behind it (none where nothing is said), and the reason in one sentence."""

    word: Word
    hold: Interval | None
    reason: str


@dataclass(frozen=True)
class Holds:
    """The hold of every instance; where ``says`` is False it says nothing and the value is 0."""

    value: Float[Tensor, "B"]
    low: Float[Tensor, "B"] | None
    high: Float[Tensor, "B"] | None
    distance: Float[Tensor, "B"]
    n: int

    @property
    def says(self) -> Bool[Tensor, "B"]:
        """Where shuffling makes a difference."""
        return self.distance > NOTHING

    def interval(self, i: int) -> Interval | None:
        """The hold of one instance, None where it says nothing."""
        if not self.says[i]:
            return None
        low, high = (None if end is None else float(end[i]) for end in (self.low, self.high))
        return Interval(float(self.value[i]), low, high, self.n)

    def verdict(self, i: int, of: str = "seed") -> Verdict:
        """The verdict on one instance."""
        return _verdict(self.interval(i), self.distance[i].item(), of)


def scale_of(
    explanation: Explanation,
    comparison: Comparison = BY,
    copies: int = 4,
    rows: Int[Tensor, "B"] | None = None,
) -> Scale:
    """Compare all members with each other and with shuffled copies."""
    pairs = over_members(explanation, comparison)
    shuffled = against_shuffled(explanation, comparison, copies, rows)
    return Scale(pairs, shuffled, comparison.identical, explanation.members)


def hold(given: Explanation | Scale, select: Bool[Tensor, "B"] | None = None) -> Interval | None:
    """How much of the explanation survives another member: 1 the same again, 0 no better than shuffled.

    ``(value − shuffled) / (same − shuffled)``, each summed over (selected) instances and pairs, with its
    jackknife interval over members; None where even shuffling changes nothing.

    >>> scores = torch.tensor([[[1.0, 0.0, 0.0, 0.0]]]).repeat(3, 1, 1)
    >>> members = (Member(0), Member(1), Member(2))
    >>> hold(Explanation(scores, scores[0] >= 0, torch.tensor([0]), members, "mine", False))
    Interval(value=1.0, low=1.0, high=1.0, n=3)
    """
    return _measure(_scale(given), select)[0]


def hold_each(given: Explanation | Scale) -> Holds:
    """The hold of every instance by itself, with its interval over members."""
    scale = _scale(given)
    value, left, distance = _ratio(scale, scale.pairs.values, scale.shuffled.values)
    says, n = distance > NOTHING, scale.pairs.n
    value = torch.where(says, value, 0.0)
    if n < 3:
        return Holds(value, None, None, distance, n)
    half = torch.where(says, jackknife_error(left), 0.0)
    return Holds(value, value - half, (value + half).clamp(max=1.0), distance, n)


def hold_members(given: Explanation | Scale, select: Bool[Tensor, "B"] | None = None) -> Float[Tensor, "n"]:
    """The hold of each member against all others: which seed is the odd one out."""
    scale = _scale(given)
    value, base = (
        involving(over_instances(table.values, select), table) / (table.n - 1)
        for table in (scale.pairs, scale.shuffled)
    )
    return _divide(value - base, scale.same - base)


def judge(given: Explanation | Scale, select: Bool[Tensor, "B"] | None = None, of: str = "seed") -> Verdict:
    """The verdict on (selected) instances together; ``of`` is what members are: a seed, a fold, a run.

    *Holds* from 0.8, *shaky* from 0.5, by the lower end of the interval; with two members there is no
    interval, so it is shaky at best.
    """
    if select is not None and not select.any():
        return Verdict("says nothing", None, "It says nothing: there is no example to judge.")
    interval, distance = _measure(_scale(given), select)
    return _verdict(interval, distance, of)


def leave_out_holds(scale: Scale, select: Bool[Tensor, "B"] | None = None) -> tuple[Tensor, Tensor]:
    """The hold of all members, and the holds that leave out one member each."""
    return _ratio(scale, *(over_instances(t.values, select) for t in (scale.pairs, scale.shuffled)))[:2]


def _scale(given: Explanation | Scale) -> Scale:
    return given if isinstance(given, Scale) else scale_of(given)


def _measure(scale: Scale, select: Tensor | None) -> tuple[Interval | None, float]:
    tables = (over_instances(table.values, select) for table in (scale.pairs, scale.shuffled))
    value, left, distance = _ratio(scale, *tables)
    if distance.item() <= NOTHING:
        return None, distance.item()
    # Nothing is more alike than the same explanation again.
    return as_interval(value, left).within(-math.inf, 1.0), distance.item()


def _ratio(scale: Scale, values: Tensor, shuffled: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Hold, holds that leave one member out, and how far away a shuffled copy is."""
    (value, left_value), (base, left_base) = (leave_out(table, scale.pairs) for table in (values, shuffled))
    whole = _divide(value - base, scale.same - base)
    left = _divide(left_value - left_base, scale.same - left_base)
    return whole, left, (scale.same - base).abs()


def _divide(part: Tensor, whole: Tensor) -> Tensor:
    clear = whole.abs() > 1e-12
    return torch.where(clear, part / torch.where(clear, whole, 1.0), 0.0)


def _verdict(found: Interval | None, distance: float, of: str) -> Verdict:
    if found is None:
        return Verdict(
            "says nothing",
            None,
            "It says nothing: its scores are so even that shuffling them changes almost nothing "
            f"(by {round(distance, 4):g}, and {NOTHING} is the least that counts).",
        )
    word = _word(found)
    return Verdict(word, found, _reason(word, found, of))


def _word(found: Interval) -> Word:
    low = found.value if found.low is None else found.low
    if low >= HOLDS and found.low is not None:
        return "holds"
    return "shaky" if low >= SHAKY else "does not hold"


def _reason(word: Word, found: Interval, of: str) -> str:
    says = {"holds": "It holds", "shaky": "It is shaky", "does not hold": "It does not hold"}[word]
    survives = f"{says}: {_percent(found.value)} of the explanation survives another {of}"
    if found.low is None or found.high is None:
        return (
            f"{survives}, but two {of}s give no margin of error: three or more {of}s are needed to be sure."
        )
    ends = f"(95 % interval {_percent(found.low)} to {_percent(found.high)}, {found.n} {of}s"
    scale = "100 % is the same again, 0 % no better than shuffled)"
    return f"{survives} {ends}; {scale}, {_because(word, found, of)}."


def _because(word: Word, found: Interval, of: str) -> str:
    if word == "holds":
        return f"and even the lower end is at least {_percent(HOLDS)}"
    needed = HOLDS if word == "shaky" else SHAKY
    more = f": more {of}s may settle it" if found.value >= needed else ""
    return f"and the lower end is below {_percent(needed)}{more}"


def _percent(share: float) -> str:
    """Rounded down, so that what is below a limit never reads as the limit."""
    return f"{max(math.floor(share * 1000 + 1e-6) / 10, 0.0):g} %"
