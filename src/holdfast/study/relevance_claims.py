"""The questions to the cells, answered from the cosines of every member on every group of images.

The interval of an answer is of two jackknives added, over members and over images, each leaving the same one
out of every cell, so cells are compared within members and images (see :mod:`relevance_cosines`). Its p is
corrected by Holm over the lines it stands among; so is the p of the claim having no effect worth the name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holdfast.measure.groups import holm
from holdfast.measure.reduce import Interval
from holdfast.study.relevance_cosines import MEMBERS, Cosines, Estimate, cosines, cosines_of_members
from holdfast.study.relevance_names import METHODS
from holdfast.study.relevance_questions import ASKED, WORTH, Question, questions
from holdfast.study.table import Row

LEVEL = 0.05
ALL = "all methods"
CAME, SMALL, NOT, OPEN = "came out", "too small to matter", "did not come out", "not decided"


@dataclass(frozen=True)
class Answer:
    """One claim, one measured number in units of cosine, and whether it came out.

    ``p`` is two-sided, of no effect; ``p_worth`` is of an effect of ``worth`` or more; ``corrected`` and
    ``corrected_worth`` are Holm's. Where all of several numbers must be above 0, ``weakest`` names the one
    that is shown. ``over`` says what the interval is over; ``detail`` marks lines by data set or method
    below a claim.
    """

    claim: str
    where: str
    explainer: str
    published: str
    measured: Interval
    p: float | None
    corrected: float | None
    p_worth: float | None = None
    corrected_worth: float | None = None
    worth: float = WORTH
    weakest: str = ""
    cells: tuple[str, ...] = ()
    over: str = MEMBERS
    detail: bool = False

    @property
    def verdict(self) -> str:
        """Came out (above 0 beyond chance, and worth the name), did not (no effect worth the name is left),
        or open."""
        if self.corrected is None or self.corrected_worth is None:
            return OPEN
        if self.measured.value > 0 and self.corrected <= LEVEL:
            return CAME if self.measured.value >= self.worth else SMALL
        return NOT if self.corrected_worth <= LEVEL else OPEN


def own_claims(rows: Iterable[Row]) -> list[Answer]:
    """The answers to all questions that these rows can answer: first the claims, each with its details."""
    kept = cosines_of_members(rows)
    groups = [found for question in questions(kept) if (found := _answers(kept, question))]
    whole = all_corrected([group[0] for group in groups])
    return [line for first, group in zip(whole, groups, strict=True) for line in (first, *group[1:])]


def _answers(rows: Sequence[Row], question: Question) -> list[Answer]:
    """The claim over everything, then by data set, then by method."""
    kept = [row for row in rows if question.data in (None, row.data)]
    whole = cosines(kept, question.cells, question.methods or _present(kept, ASKED))
    if whole is None:
        return []
    by_data = [_answer(question, whole.at(place), ALL, detail=True) for place in range(len(whole.data))]
    by_method = []
    for method in () if question.methods else _present(kept, METHODS):
        alone = cosines(kept, question.cells, (method,))
        if alone is not None:
            by_method.append(_answer(question, alone, method, detail=True))
    return [
        _answer(question, whole, ALL),
        *(all_corrected(by_data) if len(by_data) > 1 else ()),
        *all_corrected(by_method),
    ]


def _present(rows: Sequence[Row], methods: Sequence[str]) -> tuple[str, ...]:
    there = {row.explainer for row in rows}
    return tuple(name for name in methods if name in there)


def _answer(question: Question, table: Cosines, method: str, detail: bool = False) -> Answer:
    found = table.estimate(question.numbers)
    place, several = int(found.value.argmin()), len(found.value) > 1
    p, p_worth = p_values(found, question.worth)
    return Answer(
        question.claim,
        " and ".join(table.data),
        method,
        question.published,
        found.interval(place) if p is not None else Interval(found.value[place].item(), None, None, found.n),
        p,
        p,
        p_worth,
        p_worth,
        question.worth,
        question.parts[place] if several else "",
        question.cells,
        table.over,
        detail,
    )


def p_values(found: Estimate, worth: float) -> tuple[float | None, float | None]:
    """p of no effect, and of one worth the name.

    Of several numbers all must be above 0: the largest p speaks for the claim (an intersection of tests needs
    no correction), the smallest, corrected by their number, against it. From two members there is none.
    """
    if found.error is None or found.freedom < 2:
        return None, None
    none, enough = [], []
    for value, error in zip(found.value.tolist(), found.error.tolist(), strict=True):
        none.append(p_value(value, error, found.freedom) if value > 0 or len(found.value) == 1 else 1.0)
        short = worth - value
        enough.append(p_value(short, error, found.freedom) if short > 0 else 1.0)
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


def all_corrected(answers: Sequence[Answer]) -> list[Answer]:
    """Both p's, each over those that are known."""
    none = iter(holm([answer.p for answer in answers if answer.p is not None]))
    enough = iter(holm([answer.p_worth for answer in answers if answer.p_worth is not None]))
    return [
        a if a.p is None else replace(a, corrected=next(none), corrected_worth=next(enough)) for a in answers
    ]
