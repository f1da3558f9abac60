"""Which of the document's claims came out, from the rows alone, with intervals over seeds and texts.

A cut is ``1 − after / before``; its interval and its p are of ``ln(before / after)``, so that no end of it is
beyond what is possible. Of several models a claim is about their mean logarithm, and of accuracy about the
weakest. p is corrected by Holm over the claims of a data set, and over the models below a claim.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from holdfast.measure.claims import Answer, Estimate, all_corrected, as_cut, p_values
from holdfast.measure.reduce import Interval
from holdfast.studies.seed_stability.numbers import ACCURACY, SPREAD, Family, Numbers, estimate, numbers
from holdfast.studies.seed_stability.published_tables import DATA, cut_error, cut_published, spread_cut
from holdfast.studies.seed_stability.questions import MARGIN, NONE, Change, Question, name_of, questions
from holdfast.study.measurement import Measurement

BOTH, SEEDS, PRINTED = "seeds and texts", "seeds", "seeds, ours and the document's"
NEAR = 0.2  # of a cut: the interval of the document's own is wider


@dataclass(frozen=True)
class Answered(Answer):
    """An answer, of which change it is (``repair`` against ``against``, or one model against another), and
    the number ``before`` and ``after``: of several models their geometric mean, of accuracy the weakest."""

    data: str = ""
    repair: str = ""
    against: str = ""
    before: float | None = None
    after: float | None = None


def own_claims(rows: Iterable[Measurement], printed: bool = True) -> list[Answered]:
    """The answers to all questions that these rows can answer, of one data set after the other: the claims,
    each with its details. ``printed`` says that the training is the document's, so that its printed cuts can
    be held against ours."""
    table = numbers(rows)
    families: dict[str, list[Family]] = {}
    for family, _ in table:
        families.setdefault(family.data, []).append(family)
    return [line for own in families.values() for line in _claims(table, own, printed)]


def _claims(table: Numbers, families: Sequence[Family], printed: bool) -> list[Answered]:
    """Those of one data set."""
    found = [_answers(table, question) for question in questions(families)]
    found += [_near(table, families)] if printed else []
    there = [group for group in found if group]
    whole = all_corrected([group[0] for group in there])
    return [line for first, group in zip(whole, there, strict=True) for line in (first, *group[1:])]


def _answers(table: Numbers, question: Question) -> list[Answered]:
    """The claim of all models that were measured, then of each of them."""
    log = question.what != ACCURACY
    there = [
        (change, own)
        for change, part in zip(question.changes, question.parts, strict=True)
        if (own := estimate(table, [part], False, log)) is not None
    ]
    if not there:
        return []
    changes = [change for change, _ in there]
    parts = [question.parts[question.changes.index(change)] for change in changes]
    whole = estimate(table, parts, not question.every, log)
    assert whole is not None
    head = _answer(table, question, changes, whole)
    lines = [_answer(table, question, [change], own, detail=True) for change, own in there]
    return [head, *(all_corrected(lines) if len(lines) > 1 else ())]


def _answer(
    table: Numbers, question: Question, changes: Sequence[Change], found: Estimate, detail: bool = False
) -> Answered:
    place = int(found.value.argmin())
    p, p_worth = p_values(found, question.least)
    known = found if p is not None else found._replace(error=None)
    shown = [changes[place]] if question.every else changes
    before, after = (_middle(table, question, [change[side] for change in shown]) for side in (0, 1))
    first, second = changes[0]
    return Answered(
        question.claim,
        f"{first.data}, {name_of(changes[0])}" if detail else first.data,
        "",
        question.published,
        _shown(known, place, question),
        p,
        p,
        p_worth,
        p_worth,
        0.0 if question.what == ACCURACY else question.worth,
        name_of(changes[place]) if len(found.value) > 1 else "",
        tuple(dict.fromkeys(change.second.model for change in changes)),
        SEEDS if question.what == SPREAD else BOTH,
        detail,
        -MARGIN if question.what == ACCURACY else 0.0,
        first.data,
        second.repair,
        first.repair if first.model == second.model else first.model,
        before,
        after,
    )


def _shown(found: Estimate, place: int, question: Question) -> Interval:
    """A cut; of accuracy the change, which may fall by a margin."""
    if question.what != ACCURACY:
        return as_cut(found, place)
    own = found._replace(value=found.value - MARGIN).interval(place)
    return own.within(-1.0, 1.0)


def _middle(table: Numbers, question: Question, families: Sequence[Family]) -> float:
    """The geometric mean of what was measured."""
    values = torch.tensor([table[family, question.what].whole for family in families], dtype=torch.float64)
    return float(values.log().mean().exp())


def _near(table: Numbers, families: Sequence[Family]) -> list[Answered]:
    """Is the spread of accuracy cut by as much as is printed of the same data and model, within 20 points?

    Both cuts have an error: ours by the jackknife, the document's as that of two deviations of ten seeds.
    """
    there = [family for family in dict.fromkeys(families) if cut_published(family) is not None]
    found = [(family, own) for family in there if (own := spread_cut(table, family)) is not None]
    if not found:
        return []
    lines = [_printed([family], [_apart(family, own)], detail=True) for family, own in found]
    estimates = [_apart(family, own) for family, own in found]
    head = _printed([family for family, _ in found], estimates)
    return [head, *(all_corrected(lines) if len(lines) > 1 else ())]


def _apart(family: Family, own: Estimate) -> Estimate:
    """How far inside the allowed distance the two cuts lie."""
    said, ours = cut_published(family), as_cut(own).value
    assert said is not None
    value = torch.tensor([NEAR - abs(ours - said)], dtype=torch.float64)
    if own.error is None:
        return Estimate(value, None, own.freedom, own.n)
    error = ((1 - ours) ** 2 * own.error.square() + cut_error(said) ** 2).sqrt()
    return Estimate(value, error, own.freedom, own.n)


def _printed(families: Sequence[Family], estimates: Sequence[Estimate], detail: bool = False) -> Answered:
    errors = [own.error for own in estimates if own.error is not None]
    whole = Estimate(
        torch.cat([own.value for own in estimates]),
        torch.cat(errors) if len(errors) == len(estimates) else None,
        min(own.freedom for own in estimates),
        min(own.n for own in estimates),
    )
    place, data = int(whole.value.argmin()), families[0].data
    p, p_worth = p_values(whole, 0.0)
    known = whole if p is not None else whole._replace(error=None)
    names = [name_of(Change(family._replace(repair=NONE), family)) for family in families]
    said = ", ".join(
        f"{100 * cut:.0f} % ({f.model}, {f.repair})"
        for f in families
        if (cut := cut_published(f)) is not None
    )
    return Answered(
        f"the spread of accuracy is cut as published of {DATA[data]}, within {100 * NEAR:.0f} points",
        f"{data}, {names[place]}" if detail else data,
        "",
        said,
        known.interval(place).within(-math.inf, NEAR),
        p,
        p,
        p_worth,
        p_worth,
        0.0,
        names[place] if len(names) > 1 else "",
        tuple(dict.fromkeys(family.model for family in families)),
        PRINTED,
        detail,
        0.0,
        data,
        families[place].repair if detail else "",
        NONE,
    )
