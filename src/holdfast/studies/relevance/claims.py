"""The questions to the cells, answered from the cosines of every member on every group of images.

The interval of an answer is of two jackknives added, over members and over images, each leaving the same one
out of every cell, so cells are compared within members and images (see :mod:`relevance_cosines`). Its p is
corrected by Holm over the lines it stands among; so is the p of the claim having no effect worth the name.
"""

from collections.abc import Iterable, Sequence

from holdfast.measure.claims import Answer, all_corrected, p_values
from holdfast.measure.reduce import Interval
from holdfast.studies.relevance.cosines import Cosines, cosines, cosines_of_members
from holdfast.studies.relevance.names import METHODS
from holdfast.studies.relevance.questions import ASKED, Question, questions
from holdfast.study.measurement import Measurement

ALL = "all methods"


def own_claims(rows: Iterable[Measurement]) -> list[Answer]:
    """The answers to all questions that these rows can answer: first the claims, each with its details."""
    kept = cosines_of_members(rows)
    groups = [found for question in questions(kept) if (found := _answers(kept, question))]
    whole = all_corrected([group[0] for group in groups])
    return [line for first, group in zip(whole, groups, strict=True) for line in (first, *group[1:])]


def _answers(rows: Sequence[Measurement], question: Question) -> list[Answer]:
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


def _present(rows: Sequence[Measurement], methods: Sequence[str]) -> tuple[str, ...]:
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
