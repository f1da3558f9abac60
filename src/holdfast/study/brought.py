"""From scores that somebody brought to everything a report shows: the same chain as an audit's."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.data.base import Kind
from holdfast.data.reading import listed
from holdfast.data.scores.brought import Brought
from holdfast.measure.bins import by_confidence, by_label
from holdfast.measure.hold import hold_each
from holdfast.measure.odd_members import groups_of
from holdfast.measure.reduce import spread
from holdfast.measure.short import short_inputs
from holdfast.study.answer import Answer, Decides, Members
from holdfast.study.asking import completed, matters_of_brought
from holdfast.study.brought_advice import brought_advice
from holdfast.study.brought_evidence import CHANCE, chance_of, evidence_of_brought, questions_of
from holdfast.study.calibration import answer_rows
from holdfast.study.copies import without_copies
from holdfast.study.engine import Listener
from holdfast.study.evidence import Evidence
from holdfast.study.examples import Said, example_of, spaced
from holdfast.study.f1 import f1_by_class
from holdfast.study.findings import Example, Findings
from holdfast.study.headline import headline, ranked
from holdfast.study.importance import importance_rows
from holdfast.study.judge import explainer_verdict, odd_members, odd_seeds
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.plan import COMPARISONS
from holdfast.study.quality import deviation_rows, quality_rows
from holdfast.study.score_rows import ScoreRows, bins_of_scores
from holdfast.study.unasked import unasked
from holdfast.train.family import one_thread

MODEL, PARTS = "given", {"scores": "position", "columns": "column"}
SHOWN, COMPARED = 6, 500  # examples that are shown, and those that every comparison is made of
SEEDS = "A seed is here one of the models whose scores were given."
UNTRAINED = (
    "Scores of untrained networks were not given: how much of the hold the wiring or the size of the inputs "
    "alone would give was not measured (give untrained)."
)
FAVOURED = (
    "The scores are taken to be for the class that the models favour together: where they are for another, "
    "give target."
)
SEEN = (
    "Accuracy and confidence are those on the examples that were given: on examples that the models learned "
    "from they say little."
)


def judge_brought(
    brought: Brought, command: str = "", listen: Listener = lambda stage, done, total: None
) -> Findings:
    """The verdict on every explainer, the rows of its table, examples, and what a reader must know.

    ``command`` repeats it.
    """
    brought = without_copies(completed(brought))
    key, asked = FamilyKey(brought.name, MODEL, "none"), matters_of_brought(brought)
    with one_thread():  # many small products: more threads only wait for each other
        evidence = evidence_of_brought(brought, asked, lambda done: listen("judging", done, 2.0))
        answer = _answer(brought, evidence, key)
        rows = tuple(_rows(brought, evidence, key))
    listen("judging", 2.0, 2.0)
    return Findings(
        title=brought.name,
        command=command,
        plan=_given(brought),
        answer=answer,
        rows=rows,
        examples=tuple(_examples(brought, evidence, key, answer.rows[0].explainer)),
        notes=tuple(_notes(brought, evidence)),
        kind=_kind(brought),
    )


def _kind(brought: Brought) -> Kind:
    """Positions that all examples have by the same names are columns."""
    return "columns" if brought.columns else "scores"


def _answer(brought: Brought, evidence: Evidence, key: FamilyKey) -> Answer:
    verdicts = []
    for name in (name for name in brought.explanations if name != "random"):
        questions, held = questions_of(brought, evidence, name)
        verdicts.append(explainer_verdict(key, name, questions, evidence, held))
    if all(question.answer == "not asked" for row in verdicts for question in row.questions):
        raise BadSetting(
            f"nothing can be asked of these scores. {unasked(verdicts[0].questions)}".rstrip(".")
        )
    first, *_ = rows = ranked(verdicts)
    lengths, scale, part = brought.mask.sum(-1), evidence.scales.get(first.explainer), PARTS[_kind(brought)]
    groups = None if scale is None else groups_of(scale)
    odd = odd_members(groups, brought.members, _right(brought), "accuracy")
    short = "" if scale is None else short_inputs(scale, lengths, part)
    return Answer(
        verdict=first.verdict,
        between=first.between,
        headline=headline(rows, part),
        reason=" ".join(filter(None, (first.reason, odd, short, unasked(first.questions)))),
        do=brought_advice(first, len(brought.members), int((lengths > 1).sum())),
        decides=Decides(first.model, first.repair, first.explainer),
        rows=tuple(rows),
        quality=_quality(brought),
        members=Members(len(brought.members), odd=odd_seeds(groups)),
    )


def _rows(brought: Brought, evidence: Evidence, key: FamilyKey) -> Iterator[Measurement]:
    """The models first, then every explainer."""
    (odds, labels), several = brought.answers, len(brought.members) > 1
    bins = bins_of_scores(brought.mask, True, _explained(brought, mean=True))
    if brought.labels is not None:
        bins["label"] = by_label(brought.labels, _classes(brought))
    if brought.probabilities is not None and brought.probabilities.shape[-1] == 2:
        bins["probability"] = by_confidence(brought.probabilities[..., 1].mean(0))
    build = ScoreRows(key, brought.explanations, bins)
    if odds is not None and labels is not None:
        yield from quality_rows(odds, labels, brought.members, brought.classes, build.row)
        yield from answer_rows(odds, labels, build.row, evidence.bins, brought.classes)
    elif odds is not None and several:
        yield from deviation_rows(odds, build.row)
    for name in brought.explanations:
        yield from build.shape(name, evidence)
        if several:
            yield from build.holds(name, evidence.scales[name])
    if brought.columns:
        yield from importance_rows(brought.explanations, brought.columns, build.row, several)
    yield from build.agreement()
    if several:
        yield from _compared(brought, build)


def _compared(brought: Brought, build: ScoreRows) -> Iterator[Measurement]:
    """Every comparison, of so many examples: most of them cost more than all questions together."""
    count = len(brought.mask)
    some = torch.linspace(0, count - 1, min(count, COMPARED)).round().long()
    bins = {by: [bin._replace(mask=bin.mask[some]) for bin in own] for by, own in build.bins.items()}
    filled = {by: [bin for bin in own if bool(bin.mask.any())] for by, own in bins.items()}
    taken = {
        name: replace(one, scores=one.scores[:, some], mask=one.mask[some], target=one.target[some])
        for name, one in brought.explanations.items()
    }
    few = ScoreRows(build.family, taken, filled)
    for one in taken.values():
        yield from few.stability(one, COMPARISONS)


def _examples(brought: Brought, evidence: Evidence, key: FamilyKey, first: str) -> Iterator[Example]:
    """Examples from the highest hold to the lowest by the explainer that decides, evenly spaced."""
    shown = {name: one for name, one in brought.explanations.items() if name != "random"}
    each = {name: hold_each(scale) for name, scale in evidence.scales.items() if name in shown}
    held, odds = each[first].value if each else torch.zeros(len(brought.mask)), _explained(brought)
    for place in spaced(held, brought.mask.sum(1), SHOWN):
        own = None if odds is None else odds[:, place]
        yield example_of(key, brought.members, shown, each, place, _said(brought, place), own)


def _said(brought: Brought, place: int) -> Said:
    """The names of the positions; the true class and the one that is explained, where they are known."""
    width, classes = int(brought.mask[place].sum()), _classes(brought)
    tokens = tuple(map(str, range(1, width + 1))) if brought.tokens is None else brought.tokens[place]
    explained = brought.told or brought.probabilities is not None
    target = classes[int(brought.first.target[place])] if explained and classes else ""
    return Said(tokens, "" if brought.labels is None else classes[int(brought.labels[place])], target)


def _notes(brought: Brought, evidence: Evidence) -> Iterator[str]:
    """What a reader must know."""
    yield SEEDS
    yield from brought.notes
    if brought.probabilities is not None and not brought.told:
        yield FAVOURED
    if brought.probabilities is not None and brought.labels is not None:
        yield SEEN
    if not brought.untrained and len(brought.members) > 1:
        yield UNTRAINED
    if len(brought.mask) > COMPARED and len(brought.members) > 1:
        yield f"Every comparison between seeds is of {COMPARED} of the {len(brought.mask):,} examples."
    for name, scale in evidence.scales.items():
        for impostor in scale.left_out:
            yield f"{name}: too few examples have {impostor} to compare with, so the hold is not against it."


def _explained(brought: Brought, mean: bool = False) -> Tensor | None:
    """Every member's probability of the class that is explained, or their mean."""
    if brought.probabilities is None:
        return None
    place = brought.first.target[None, :, None].expand(len(brought.members), -1, 1)
    own = brought.probabilities.gather(2, place)[..., 0]
    return own.mean(0) if mean else own


def _classes(brought: Brought) -> tuple[str, ...]:
    """The names of the classes; their numbers where nobody named them."""
    most = max(int(t.max()) for t in (brought.labels, brought.first.target) if t is not None)
    return brought.classes or tuple(map(str, range(most + 1)))


def _right(brought: Brought) -> Float[Tensor, "M"] | None:
    odds, labels = brought.answers
    return None if odds is None or labels is None else (odds.argmax(-1) == labels).double().mean(1)


def _quality(brought: Brought) -> dict[str, Any]:
    """How good the members are, in plain values; None where that is not known."""
    right, none = _right(brought), {"mean": None, "sd": None, "chance": None, "chance_is": ""}
    odds, labels = brought.answers
    if right is None or odds is None or labels is None:
        return {"metric": "accuracy", "n": len(brought.members)} | none
    over = spread(right)
    chance = {"chance": chance_of(labels), "chance_is": CHANCE}
    measured = {"mean": over.mean, "sd": over.sd, "n": over.n} | chance
    f1 = f1_by_class(odds, labels, brought.classes)
    return {"metric": "accuracy"} | measured | f1


def _given(brought: Brought) -> dict[str, Any]:
    """What was given, in plain values."""
    members, (examples, positions) = len(brought.members), brought.mask.shape
    given = {
        "probabilities": brought.probabilities,
        "labels": brought.labels,
        "untrained": brought.untrained or None,
        "predict": brought.predict,
        "tokens": brought.tokens,
    }
    return {
        "members": members,
        "examples": examples,
        "positions": positions,
        "explainers": {name: "signed" if e.signed else "sizes" for name, e in brought.explanations.items()},
        "classes": list(brought.classes),
        "given": listed([name for name, value in given.items() if value is not None]),
    }
