"""From evidence to verdicts: every explainer of every family."""

from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.measure.hold import hold
from holdfast.measure.matters import ask_matters
from holdfast.measure.odd_members import groups_of
from holdfast.measure.question import Question, not_asked
from holdfast.measure.reduce import spread
from holdfast.measure.says import says
from holdfast.measure.survives import survives
from holdfast.measure.verdict import judge
from holdfast.study.advice import advice
from holdfast.study.answer import Answer, Decides, ExplainerVerdict, Members
from holdfast.study.evidence import Evidence
from holdfast.study.f1 import f1_of
from holdfast.study.headline import headline, ranked
from holdfast.study.modality import modality
from holdfast.study.notes import best_was_last
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult
from holdfast.train.modality import modality as scoring


def verdicts(family: FamilyResult, evidence: Evidence) -> Iterator[ExplainerVerdict]:
    """The verdict on each explainer, except random, which is no explanation."""
    for name in evidence.scales:
        if name != "random":
            yield _verdict(family, evidence, name)


def _verdict(family: FamilyResult, evidence: Evidence, name: str) -> ExplainerVerdict:
    scale, contrast, strongest = evidence.scales[name], evidence.contrasts[name], evidence.strongest[name]
    held = hold(scale)
    several = int((family.mask.sum(-1) > 1).sum())
    questions = (
        evidence.learned,
        says(contrast),
        survives(held, groups_of(scale), several),
        _matters(evidence, name),
    )
    verdict = judge(questions)
    decisive = next((question for question in questions if question.name == verdict.decides), None)
    return ExplainerVerdict(
        data=family.data,
        model=family.model,
        repair=family.repair,
        explainer=name,
        verdict=verdict.word,
        between=verdict.between,
        reason=verdict.reason,
        questions=questions,
        nearest=None if held is None else held.nearest,
        hold=None if held is None else held.value,
        low=None if held is None else held.low,
        high=None if held is None else held.high,
        against=None if held is None else {one.impostor: one.value for one in held.against},
        concentration=contrast.top,
        even=contrast.even,
        same_strongest=None if strongest is None else strongest.value,
        settle=None if decisive is None else decisive.settle,
    )


def _matters(evidence: Evidence, name: str) -> Question:
    if name not in evidence.matters:
        return not_asked("matters", "no deletion was measured")
    return ask_matters(evidence.matters[name])


def answer_of(families: Sequence[FamilyResult], evidences: Sequence[Evidence], plan: Plan) -> Answer:
    """What an audit of these families answers: its headline is about the best explainer."""
    pairs = list(zip(families, evidences, strict=True))
    rows = ranked([row for family, evidence in pairs for row in verdicts(family, evidence)])
    first = rows[0]
    family, evidence = next(
        pair for pair in pairs if (pair[0].model, pair[0].repair) == (first.model, first.repair)
    )
    kind = family.dataset.task.kind
    several = int((family.mask.sum(-1) > 1).sum())
    do = advice(first, plan, several, best_was_last(family)) if plan.study == "audit" else ""
    groups = groups_of(evidence.scales[first.explainer])
    odd = groups.smaller if groups is not None and groups.apart else ()
    return Answer(
        verdict=first.verdict,
        between=first.between,
        headline=headline(rows, modality(kind).part),
        reason=first.reason,
        do=do,
        decides=Decides(first.model, first.repair, first.explainer),
        rows=tuple(rows),
        quality=quality_of(family),
        members=Members(
            len(family.members),
            tuple({"seed": out.member.seed, "why": out.why} for out in family.left_out),
            tuple(member.seed for member in odd),
        ),
    )


def quality_of(family: FamilyResult) -> dict[str, Any]:
    """How good the members are, in plain values: accuracy or recall with its chance level, F1 by class."""
    right, (chance, by) = spread(family.right), family.chance
    called = scoring(family.dataset.task.kind).called or family.metric
    measured = {"mean": right.mean, "sd": right.sd, "n": right.n, "chance": chance, "chance_is": by}
    return {"metric": called} | measured | f1_of(family)
