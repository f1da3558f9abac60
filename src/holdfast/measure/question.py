"""One question of the verdict's chain, with its answer."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from holdfast.measure.reduce import Interval

Answer = Literal["passed", "failed", "undecided", "not asked", "warning"]
Name = Literal["learned", "says", "survives", "survives_change", "matters", "calibrated"]
Word = Literal["not learned", "says nothing", "does not hold", "shaky", "does not matter", "holds"]
SHORT = "no example has two positions or more"
TITLES: dict[Name, str] = {
    "learned": "did the models learn?",
    "says": "does it say anything?",
    "survives": "does it survive another seed?",
    "survives_change": "does it survive a small change of the input?",
    "matters": "does it matter to the model?",
    "calibrated": "is the confidence right where it is used?",
}
HOLDS: tuple[Name, ...] = ("survives", "survives_change")
"""Questions that a hold answers."""
WARNS: tuple[Name, ...] = ("calibrated",)
"""Questions that never give the verdict its word: where others fail, they warn."""


@dataclass(frozen=True)
class Question:
    """A question, its answer, and the number that decides it.

    ``limit`` is what the interval is held against. ``words`` are what the verdict may be if this question
    decides: the word it fails with, or those that an undecided interval lies between. ``because`` is one
    clause, without a full stop. ``settle`` is about how many members would decide it, where that is known;
    0 means that no number up to fifty would.
    """

    name: Name
    answer: Answer
    value: float | None = None
    low: float | None = None
    high: float | None = None
    limit: float | None = None
    words: tuple[Word, ...] = ()
    because: str = ""
    settle: int | None = None

    @property
    def decides(self) -> bool:
        """Whether its answer can give the verdict its word."""
        return self.name not in WARNS


def not_asked(name: Name, because: str) -> Question:
    """A question that cannot be asked, and why."""
    return Question(name, "not asked", because=because)


def above(name: Name, value: Interval, limit: float, word: Word, because: str) -> Question:
    """Passed where the whole interval lies above the limit, failed with ``word`` where it lies at or below;
    undecided where it crosses, or where there is none."""
    answer: Answer = "undecided"
    if value.low is not None and value.high is not None:
        answer = "passed" if value.low > limit else "failed" if value.high <= limit else "undecided"
    words = () if answer == "passed" else (word,)
    return Question(name, answer, value.value, value.low, value.high, limit, words, because)


def worst(questions: Iterable[Question]) -> Question:
    """Of several ways to ask the same: a failed one, else an undecided one, else the first.

    >>> passed, undecided = (Question("says", answer) for answer in ("passed", "undecided"))
    >>> worst([passed, undecided]).answer
    'undecided'
    """
    order = ("failed", "warning", "undecided", "passed", "not asked")
    return min(questions, key=lambda question: order.index(question.answer))


def percent(share: float) -> str:
    """A share with one decimal.

    >>> percent(0.8444)
    '84.4 %'
    """
    return f"{100 * share:.1f} %"


def places(value: float) -> str:
    """Two places, rounded down, so that what is below a limit never reads as the limit.

    >>> places(0.6999), places(-0.001)
    ('0.69', '0.00')
    """
    cut = math.floor(value * 100 + 1e-6) / 100
    return f"{0.0 if -0.01 <= cut < 0 else cut:.2f}"


def ends(low: float | None, high: float | None) -> str:
    """An interval in brackets, or nothing.

    >>> ends(0.412, 0.739)
    ' [0.41, 0.73]'
    """
    return "" if low is None or high is None else f" [{places(low)}, {places(high)}]"
