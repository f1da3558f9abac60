"""What the verdicts on scores that somebody brought rest on, and the questions that can be asked of them."""

from collections.abc import Callable, Mapping

from jaxtyping import Int
from torch import Tensor

from holdfast.data.scores.brought import Brought
from holdfast.measure.calibrated import ask_calibrated, confidence_bins
from holdfast.measure.contrast import contrast_of
from holdfast.measure.hold import Hold, hold
from holdfast.measure.impostors import AnotherInput, Impostor, Shuffled, UntrainedOrder
from holdfast.measure.learned import learned
from holdfast.measure.matters import Matters, ask_matters
from holdfast.measure.odd_members import groups_of
from holdfast.measure.question import Question, not_asked
from holdfast.measure.says import says
from holdfast.measure.scale import scale_of
from holdfast.measure.strongest import same_strongest
from holdfast.measure.survives import survives
from holdfast.study.evidence import Evidence
from holdfast.study.unasked import lacking

SEVERAL = "the scores of several seeds"
CHANCE = "always predicting the most common class"


def evidence_of_brought(
    brought: Brought,
    matters: Mapping[str, Matters | None] | None = None,
    heard: Callable[[float], None] = lambda share: None,
) -> Evidence:
    """Everything that is measured before scores are judged; of a single member nothing that compares.

    ``matters`` is what deletion told, where the models could be asked; which share is measured is ``heard``.
    """
    compared = brought.explanations if len(brought.members) > 1 else {}
    scales = {}
    for place, (name, one) in enumerate(compared.items()):
        heard(place / len(compared))
        scales[name] = scale_of(one, impostors_of_brought(brought, name))
    heard(1.0)
    odds, labels = brought.answers
    known = odds is not None and labels is not None
    bins = confidence_bins(odds, labels) if known else []  # type: ignore[arg-type]
    return Evidence(
        scales=scales,
        contrasts={name: contrast_of(one) for name, one in compared.items()},
        strongest={name: same_strongest(one) for name, one in compared.items()},
        learned=_learned(brought),
        calibrated=ask_calibrated(bins) if known else lacking("calibrated", _answers(brought)),
        bins=bins,
        matters=matters or {},
    )


def questions_of(brought: Brought, evidence: Evidence, name: str) -> tuple[tuple[Question, ...], Hold | None]:
    """The chain for one explainer, and its hold."""
    asked, held = _asked(brought, evidence, name)
    whys = brought.unasked
    return tuple(not_asked(one.name, whys[one.name]) if one.name in whys else one for one in asked), held


def _asked(brought: Brought, evidence: Evidence, name: str) -> tuple[tuple[Question, ...], Hold | None]:
    measured = (
        ask_matters(evidence.matters[name])
        if name in evidence.matters
        else lacking("matters", "predict, from Python")
    )
    if name not in evidence.scales:
        several = lacking("says", SEVERAL), lacking("survives", SEVERAL)
        return (evidence.learned, *several, measured, evidence.calibrated), None
    scale = evidence.scales[name]
    held, positions = hold(scale), int((brought.mask.sum(-1) > 1).sum())
    survived = survives(held, groups_of(scale), positions)
    return (evidence.learned, says(evidence.contrasts[name]), survived, measured, evidence.calibrated), held


def impostors_of_brought(brought: Brought, name: str) -> list[Impostor]:
    """The impostors of one explainer; another input is one of the same class where that is common."""
    untrained = brought.untrained.get(name)
    order = [] if untrained is None else [UntrainedOrder(untrained)]
    return [Shuffled(), AnotherInput(same_class="common"), *order]


def _learned(brought: Brought) -> Question:
    odds, labels = brought.answers
    if odds is None or labels is None:
        return lacking("learned", _answers(brought))
    if int(labels.min()) == int(labels.max()):
        return not_asked("learned", "every label is of the same class")
    right = (odds.argmax(-1) == labels).double()
    return learned(right, chance_of(labels), CHANCE, "accuracy", labels)


def chance_of(labels: Int[Tensor, "K"]) -> float:
    """The share of the most common class.

    >>> import torch
    >>> chance_of(torch.tensor([0, 1, 1, 1]))
    0.75
    """
    return int(labels.bincount().max()) / len(labels)


def _answers(brought: Brought) -> str:
    """What is missing before the models' answers can be judged."""
    missing = {"probabilities": brought.probabilities, "labels": brought.labels}
    return " and ".join(name for name, value in missing.items() if value is None)
