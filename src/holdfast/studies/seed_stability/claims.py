"""Which of the document's claims came out, from the rows alone, with intervals over seeds and texts.

A cut is ``1 − after / before``; its interval and its p are of ``ln(before / after)``, so that no end of it is
beyond what is possible. Of several models a claim is about their mean logarithm, and of accuracy about the
weakest. p is corrected by Holm over the claims of a data set, and over the models below a claim.
"""

import math
from collections.abc import Iterable, Sequence

import torch

from holdfast.measure.claims import Claim, details, heads_corrected, weakest_of
from holdfast.measure.estimate import Estimate, as_cut, together
from holdfast.measure.reduce import Interval
from holdfast.studies.seed_stability.numbers import ACCURACY, SPREAD, numbers
from holdfast.studies.seed_stability.published_tables import DATA, cut_error, cut_published, spread_cut
from holdfast.studies.seed_stability.questions import MARGIN, NONE, Change, Question, name_of, questions
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.numbers import Numbers, estimate

BOTH, SEEDS, PRINTED = "seeds and texts", "seeds", "seeds, ours and the document's"
NEAR = 0.2  # of a cut: the interval of the document's own is wider


def own_claims(rows: Iterable[Measurement], printed: bool = True) -> list[Claim]:
    """The answers to all questions that these rows can answer, of one data set after the other: the claims,
    each with its details. ``printed`` says that the training is the document's, so that its printed cuts can
    be held against ours."""
    table = numbers(rows)
    families: dict[str, list[FamilyKey]] = {}
    for family, _ in table:
        families.setdefault(family.data, []).append(family)
    return [line for some in families.values() for line in _claims(table, some, printed)]


def _claims(table: Numbers, families: Sequence[FamilyKey], printed: bool) -> list[Claim]:
    """Those of one data set."""
    groups = [_of_question(table, question) for question in questions(families)]
    return heads_corrected([*groups, _near(table, families) if printed else []])


def _of_question(table: Numbers, question: Question) -> list[Claim]:
    """The claim of all models that were measured, then of each of them."""
    log = question.what != ACCURACY
    measured = [
        (change, part, estimated)
        for change, part in zip(question.changes, question.parts, strict=True)
        if (estimated := estimate(table, [part], False, log)) is not None
    ]
    if not measured:
        return []
    whole = estimate(table, [part for _, part, _ in measured], not question.every, log)
    assert whole is not None
    lines = [_claim(table, question, [change], estimated, detail=True) for change, _, estimated in measured]
    return [_claim(table, question, [change for change, _, _ in measured], whole), *details(lines)]


def _claim(
    table: Numbers, question: Question, changes: Sequence[Change], estimated: Estimate, detail: bool = False
) -> Claim:
    place, known, p, p_least = weakest_of(estimated, question.least_log)
    shown = [changes[place]] if question.every else changes
    before, after = (_middle(table, question, [change[side] for change in shown]) for side in (0, 1))
    first, second = changes[0]
    return Claim(
        question.claim,
        f"{first.data}, {name_of(changes[0])}" if detail else first.data,
        question.published,
        _shown(known, place, question),
        p,
        p_least,
        least=0.0 if question.every else question.least,
        above=-MARGIN if question.every else 0.0,
        weakest=name_of(changes[place]) if len(estimated.value) > 1 else "",
        over=SEEDS if question.what == SPREAD else BOTH,
        detail=detail,
        percent=True,
        data=first.data,
        models=tuple(dict.fromkeys(change.second.model for change in changes)),
        repair=second.repair,
        against=first.repair if first.model == second.model else first.model,
        before=before,
        after=after,
    )


def _shown(estimated: Estimate, place: int, question: Question) -> Interval:
    """A cut; of accuracy the change, which may fall by a margin."""
    if question.what != ACCURACY:
        return as_cut(estimated, place)
    change = estimated._replace(value=estimated.value - MARGIN).interval(place)
    return change.within(-1.0, 1.0)


def _middle(table: Numbers, question: Question, families: Sequence[FamilyKey]) -> float:
    """The geometric mean of what was measured."""
    values = torch.tensor([table[family, question.what].whole for family in families], dtype=torch.float64)
    return float(values.log().mean().exp())


def _near(table: Numbers, families: Sequence[FamilyKey]) -> list[Claim]:
    """Is the spread of accuracy cut by as much as is printed of the same data and model, within 20 points?

    Both cuts have an error: ours by the jackknife, the document's as that of two deviations of ten seeds.
    """
    cuts = [
        (family, _apart(said, cut))
        for family in dict.fromkeys(families)
        if (said := cut_published(family)) is not None and (cut := spread_cut(table, family)) is not None
    ]
    if not cuts:
        return []
    lines = [_printed([family], cut, detail=True) for family, cut in cuts]
    head = _printed([family for family, _ in cuts], together([cut for _, cut in cuts]))
    return [head, *details(lines)]


def _apart(said: float, estimated: Estimate) -> Estimate:
    """How far inside the allowed distance the two cuts lie."""
    ours = as_cut(estimated).value
    value = torch.tensor([NEAR - abs(ours - said)], dtype=torch.float64)
    if estimated.error is None:
        return Estimate(value, None, estimated.freedom, estimated.n)
    error = ((1 - ours) ** 2 * estimated.error.square() + cut_error(said) ** 2).sqrt()
    return Estimate(value, error, estimated.freedom, estimated.n)


def _printed(families: Sequence[FamilyKey], estimated: Estimate, detail: bool = False) -> Claim:
    place, known, p, p_least = weakest_of(estimated, 0.0)
    data = families[0].data
    names = [name_of(Change(family._replace(repair=NONE), family)) for family in families]
    said = ", ".join(
        f"{100 * cut:.0f} % ({f.model}, {f.repair})"
        for f in families
        if (cut := cut_published(f)) is not None
    )
    return Claim(
        f"the spread of accuracy is cut as published of {DATA[data]}, within {100 * NEAR:.0f} points",
        f"{data}, {names[place]}" if detail else data,
        said,
        known.interval(place).within(-math.inf, NEAR),
        p,
        p_least,
        weakest=names[place] if len(names) > 1 else "",
        over=PRINTED,
        detail=detail,
        percent=True,
        data=data,
        models=tuple(dict.fromkeys(family.model for family in families)),
        repair=families[place].repair if detail else "",
        against=NONE,
    )
