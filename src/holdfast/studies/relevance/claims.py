"""The questions to the cells, answered from the cosines of every member on every group of images.

The interval of an answer is of two jackknives added, over members and over images, each leaving the same one
out of every cell, so cells are compared within members and images (see :mod:`studies.relevance.cosines`).
Its p is corrected by Holm over the lines it stands among; so is the p of an effect large enough to matter.
"""

from collections.abc import Iterable, Sequence

from holdfast.measure.claims import Claim, all_corrected, details, heads_corrected, weakest_of
from holdfast.studies.relevance.cosines import Cosines, cosines, cosines_of_members
from holdfast.studies.relevance.names import METHODS
from holdfast.studies.relevance.questions import COMPARED, Question, questions
from holdfast.study.measurement import Measurement

ALL = "all methods"


def own_claims(rows: Iterable[Measurement]) -> list[Claim]:
    """The answers to all questions that these rows can answer: first the claims, each with its details."""
    kept = cosines_of_members(rows)
    return heads_corrected(_claims(kept, question) for question in questions(kept))


def _claims(rows: Sequence[Measurement], question: Question) -> list[Claim]:
    """The claim over everything, then by data set, then by method."""
    kept = [row for row in rows if question.data in (None, row.data)]
    whole = cosines(kept, question.cells, question.methods or _present(kept, COMPARED))
    if whole is None:
        return []
    by_data = [_claim(question, whole.at(place), ALL, detail=True) for place in range(len(whole.data))]
    by_method = []
    for method in () if question.methods else _present(kept, METHODS):
        alone = cosines(kept, question.cells, (method,))
        if alone is not None:
            by_method.append(_claim(question, alone, method, detail=True))
    return [_claim(question, whole, ALL), *details(by_data), *all_corrected(by_method)]


def _present(rows: Sequence[Measurement], methods: Sequence[str]) -> tuple[str, ...]:
    measured = {row.explainer for row in rows}
    return tuple(name for name in methods if name in measured)


def _claim(question: Question, table: Cosines, method: str, detail: bool = False) -> Claim:
    estimate = table.estimate(question.numbers)
    place, known, p, p_least = weakest_of(estimate, question.least)
    return Claim(
        question.claim,
        " and ".join(table.data),
        question.published,
        known.interval(place),
        p,
        p_least,
        least=question.least,
        weakest=question.parts[place] if len(estimate.value) > 1 else "",
        over=table.over,
        detail=detail,
        models=question.cells,
        explainer=method,
    )
