"""Which of the paper's claims came out, from the rows alone, with intervals over seeds and texts."""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean, geometric_mean

from holdfast.measure.claims import Claim, details, heads_corrected, weakest_of
from holdfast.measure.estimate import Estimate, as_ratio
from holdfast.measure.reduce import Interval
from holdfast.studies.seat.measures import F1
from holdfast.studies.seat.numbers import HOLD, SENSITIVE, collapsed, compared, numbers, word_probe
from holdfast.studies.seat.questions import Question, called, questions
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.numbers import Numbers, estimate

BOTH, SEEDS = "seeds and texts", "seeds"


def own_claims(rows: Iterable[Measurement]) -> list[Claim]:
    """The answers to all questions that these rows can answer, of one data set after the other; a rival that
    says the same of every text is left out, and named on the page."""
    kept = list(rows)
    table, lost = numbers(kept), collapsed(kept)
    families: dict[str, list[FamilyKey]] = {}
    for family in compared(kept):
        if family not in lost:
            families.setdefault(family.data, []).append(family)
    words = word_probe(kept)
    return [claim for some in families.values() for claim in _claims(table, some, words)]


def _claims(table: Numbers, families: Sequence[FamilyKey], words: str) -> list[Claim]:
    return heads_corrected([_of_question(table, question) for question in questions(families, words)])


def _of_question(table: Numbers, question: Question) -> list[Claim]:
    """The claim of all pairs that were measured, then each of them."""
    known = [
        (pair, found)
        for pair in question.pairs
        if (found := estimate(table, [question.part(pair)], False, question.log)) is not None
    ]
    if not known:
        return []
    pairs = [pair for pair, _ in known]
    whole = estimate(table, [question.part(pair) for pair in pairs], not question.every, question.log)
    assert whole is not None
    lines = [_claim(table, question, [pair], found, detail=True) for pair, found in known]
    return [_claim(table, question, pairs, whole), *details(lines)]


def _claim(
    table: Numbers,
    question: Question,
    pairs: Sequence[tuple[FamilyKey, FamilyKey]],
    found: Estimate,
    detail: bool = False,
) -> Claim:
    place, known, p, p_least = weakest_of(found, question.least_known)
    shown = [pairs[place]] if question.every else pairs
    first, second = shown[0]
    one, other = (_middle(table, question, [pair[side] for pair in shown]) for side in (0, 1))
    changed, against = (second, first) if question.falls else (first, second)
    before, after = (one, other) if question.falls else (other, one)
    alone = first == second
    return Claim(
        question.statement,
        f"{first.data}, {called(pairs[0])}" if detail else first.data,
        question.published,
        _effect(known, place, question),
        p,
        p_least,
        least=question.least,
        above=1.0 if question.log else question.more,
        weakest=called(pairs[place]) if len(found.value) > 1 else "",
        over=SEEDS if question.what.quantity in (F1, HOLD.quantity) or alone else BOTH,
        detail=detail,
        ratio=question.log,
        data=first.data,
        models=tuple(dict.fromkeys(pair[0].model for pair in pairs)),
        repair=changed.repair,
        against="" if alone else against.repair,
        before=None if alone else before,
        after=None if alone else after,
    )


def _effect(known: Estimate, place: int, question: Question) -> Interval:
    """How many times as large; or the difference itself, without what it may fall short by."""
    if question.log:
        return as_ratio(known, place)
    shifted = known._replace(value=known.value + question.more).interval(place)
    most = math.inf if question.what == SENSITIVE else 1.0
    return shifted.within(-most, most)


def _middle(table: Numbers, question: Question, families: Sequence[FamilyKey]) -> float:
    """The mean of what was measured; of logarithms the geometric one."""
    values = [table[family, question.what].whole for family in families]
    return geometric_mean(values) if question.log else fmean(values)
