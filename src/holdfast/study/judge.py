"""From evidence to verdicts: every explainer of every family."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Member
from holdfast.data.reading import listed
from holdfast.measure.hold import Hold, hold
from holdfast.measure.matters import ask_matters
from holdfast.measure.odd_members import Groups, groups_of
from holdfast.measure.question import Question, not_asked, percent
from holdfast.measure.reduce import spread
from holdfast.measure.says import says
from holdfast.measure.short import short_inputs
from holdfast.measure.survives import alone, survives
from holdfast.measure.survives_change import survives_change
from holdfast.measure.verdict import judge
from holdfast.study.advice import advice, another_explainer, differently
from holdfast.study.answer import Answer, Decides, ExplainerVerdict, Members
from holdfast.study.evidence import Evidence, unit_of
from holdfast.study.f1 import f1_of
from holdfast.study.headline import headline, ranked
from holdfast.study.measurement import FamilyKey
from holdfast.study.modality import modality
from holdfast.study.notes import best_was_last
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult
from holdfast.study.same_bits import same_bits
from holdfast.study.worth import worths
from holdfast.train.modality import modality as scoring

POINT = 0.01
SAME = "every member is the same bits, as training makes no use of its seed, so nothing could differ"


def verdicts(family: FamilyResult, evidence: Evidence) -> Iterator[ExplainerVerdict]:
    """The verdict on each explainer, except random, which is no explanation."""
    for name in evidence.scales:
        if name != "random":
            yield _verdict(family, evidence, name)


def _verdict(family: FamilyResult, evidence: Evidence, name: str) -> ExplainerVerdict:
    scale, contrast = evidence.scales[name], evidence.contrasts[name]
    held = hold(scale)
    of, several = unit_of(family), int((family.mask.sum(-1) > 1).sum())
    survived = alone(of) if len(family.members) == 1 else survives(held, groups_of(scale), several, of)
    if same_bits(family):
        survived = not_asked("survives", SAME)
    changed = [survives_change(evidence.survivals[name], of)] if evidence.survivals.get(name) else []
    asked = [evidence.learned, says(contrast), survived, *changed, _matters(evidence, name)]
    key = FamilyKey(family.data, family.model, family.repair)
    return explainer_verdict(key, name, (*asked, evidence.calibrated), evidence, held, of)


def explainer_verdict(
    family: FamilyKey,
    name: str,
    questions: tuple[Question, ...],
    evidence: Evidence,
    held: Hold | None,
    of: str = "seed",
) -> ExplainerVerdict:
    """The verdict that follows from the answers to these questions, beside what the evidence says; ``of`` is
    what members are called."""
    contrast, strongest = evidence.contrasts.get(name), evidence.strongest.get(name)
    survived = next(question for question in questions if question.name == "survives")
    verdict = judge(questions, of)
    return ExplainerVerdict(
        *family,
        explainer=name,
        verdict=verdict.word,
        between=verdict.between,
        reason=verdict.reason,
        questions=questions,
        nearest=None if held is None else held.nearest,
        hold=survived.value,
        low=survived.low,
        high=survived.high,
        against=None if held is None else {one.impostor: one.value for one in held.against},
        concentration=None if contrast is None else contrast.top,
        even=None if contrast is None else contrast.even,
        same_strongest=None if strongest is None else strongest.value,
        settle=next((question.settle for question in questions if question.name == verdict.decides), None),
    )


def _matters(evidence: Evidence, name: str) -> Question:
    if name not in evidence.matters:
        return not_asked("matters", "no deletion was measured")
    return ask_matters(evidence.matters[name])


def answer_of(families: Sequence[FamilyResult], evidences: Sequence[Evidence], plan: Plan) -> Answer:
    """What an audit of these families answers: its headline is about the best explainer."""
    pairs = list(zip(families, evidences, strict=True))
    rows = ranked([row for family, evidence in pairs for row in verdicts(family, evidence)])
    if not rows:
        return _nothing(families[0], plan)
    first = rows[0]
    family, evidence = next(pair for pair in pairs if _names(pair[0]) == _names(first))
    part, lengths = modality(family.dataset.task.kind).part, family.mask.sum(-1)
    several = int((lengths > 1).sum())
    do = ""
    if plan.study == "audit":
        do = differently(plan) if same_bits(family) else advice(first, plan, several, best_was_last(family))
    scale = evidence.scales[first.explainer]
    groups = groups_of(scale)
    odd = odd_members(groups, family.members, family.right, family.metric)
    short = short_inputs(scale, lengths, part)
    remarks = _same(family, first), odd, _cost(family, families), short
    return Answer(
        verdict=first.verdict,
        between=first.between,
        headline=headline(rows, part),
        reason=" ".join(filter(None, (first.reason, *remarks))),
        do=do,
        decides=Decides(first.model, first.repair, first.explainer),
        rows=tuple(rows),
        quality=quality_of(family),
        members=_members(family, groups),
        worth=tuple(worths(families, evidences, rows)) if plan.study == "audit" else (),
    )


def unexplained(family: FamilyResult, plan: Plan) -> Answer:
    """The answer of models that look at no part of what they are given."""
    return replace(
        _nothing(family, plan),
        headline="Nothing can be shown: these models look at no part of what they are given.",
        reason="They say nothing: no explainer can be asked.",
        do="",
    )


def _nothing(family: FamilyResult, plan: Plan) -> Answer:
    """The answer where random scores were the only ones asked for."""
    return Answer(
        verdict="says nothing",
        between=(),
        headline="Nothing can be shown: random scores are no explanation.",
        reason="It says nothing: no explainer but random was asked.",
        do=another_explainer(plan) if plan.study == "audit" else "",
        decides=None,
        rows=(),
        quality=quality_of(family),
        members=_members(family),
    )


def _names(of: FamilyResult | ExplainerVerdict) -> tuple[str, str, str]:
    return of.data, of.model, of.repair


def _cost(family: FamilyResult, families: Sequence[FamilyResult]) -> str:
    """That the repaired models are less often right than those without the repair, by a point or more."""
    plain = next((f for f in families if _names(f) == (family.data, family.model, "none")), family)
    right, before = (spread(one.right).mean for one in (family, plain))
    if before - right < POINT:
        return ""
    return f"{family.repair} costs {family.metric}: {percent(right)} with it, {percent(before)} without."


def odd_members(
    groups: Groups | None, members: Sequence[Member], right: Float[Tensor, "M"] | None, metric: str
) -> str:
    """Which seeds explain otherwise than the rest, and how good they are: they may not have learned."""
    if groups is None or not groups.apart:
        return ""
    odd = torch.tensor([member in groups.smaller for member in members])
    many = len(groups.smaller) > 1
    names = f"Seeds {listed(m.seed for m in groups.smaller)}" if many else str(groups.smaller[0]).capitalize()
    told = f"{names} {'explain' if many else 'explains'} otherwise than the rest"
    if right is None:
        return f"{told}."
    own, others = (float(right[odd == one].mean()) for one in (True, False))
    return f"{told} ({metric} {percent(own)}, the rest {percent(others)})."


def _same(family: FamilyResult, first: ExplainerVerdict) -> str:
    """That nothing could be compared, where another question decides before that one is asked."""
    return f"{SAME[:1].upper()}{SAME[1:]}." if same_bits(family) and SAME not in first.reason else ""


def _members(family: FamilyResult, groups: Groups | None = None) -> Members:
    return Members(
        trained=len(family.members),
        left_out=tuple({"seed": out.member.seed, "why": out.why} for out in family.left_out),
        odd=odd_seeds(groups),
    )


def odd_seeds(groups: Groups | None) -> tuple[int, ...]:
    """The seeds that explain otherwise than the rest."""
    return () if groups is None or not groups.apart else tuple(member.seed for member in groups.smaller)


def quality_of(family: FamilyResult) -> dict[str, Any]:
    """How good the members are, in plain values: accuracy or recall with its chance level, F1 by class."""
    right, (chance, by) = spread(family.right), family.chance
    called = scoring(family.dataset.task.kind).called or family.metric
    measured = {"mean": right.mean, "sd": right.sd, "n": right.n, "chance": chance, "chance_is": by}
    return {"metric": called} | measured | f1_of(family)
