"""What the verdicts on one family rest on: scales, contrasts, deletions, whether its models learned, and
whether they are as right as they are sure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jaxtyping import Int
from torch import Tensor

from holdfast.core.catalogue import is_known
from holdfast.core.records import Explanation
from holdfast.measure.calibrated import ConfidenceBin, ask_calibrated
from holdfast.measure.contrast import Contrast, contrast_of
from holdfast.measure.impostors import Impostor, Shuffled, UntrainedOrder
from holdfast.measure.learned import learned
from holdfast.measure.matters import Matters
from holdfast.measure.question import Question
from holdfast.measure.reduce import Interval
from holdfast.measure.scale import Scale, scale_of
from holdfast.measure.strongest import same_strongest
from holdfast.measure.survival import Survival
from holdfast.study.calibration import bins_of
from holdfast.study.modality import modality
from holdfast.study.result import FamilyResult
from holdfast.study.same_bits import same_bits
from holdfast.train.modality import modality as scoring
from holdfast.train.seats import turns
from holdfast.train.untrained import EACH


@dataclass(frozen=True)
class Evidence:
    """Of each explainer by its name; ``matters`` lacks those that no deletion was measured of, ``survivals``
    has what becomes of them under each perturbation that was asked for. ``bins`` are the accuracies against
    confidence that ``calibrated`` was asked of."""

    scales: Mapping[str, Scale]
    contrasts: Mapping[str, Contrast | None]
    strongest: Mapping[str, Interval | None]
    learned: Question
    calibrated: Question
    bins: Sequence[ConfidenceBin]
    matters: Mapping[str, Matters | None] = field(default_factory=dict)
    survivals: Mapping[str, Sequence[Survival]] = field(default_factory=dict)


def evidence_of(
    family: FamilyResult,
    matters: Mapping[str, Matters | None] | None = None,
    survivals: Mapping[str, Sequence[Survival]] | None = None,
) -> Evidence:
    """Everything that is measured of a family's explanations before it is judged."""
    there = {name: one.to(family.device) for name, one in family.explanations.items()}
    bins = bins_of(family)
    return Evidence(
        scales={name: _scale(family, name, one) for name, one in there.items()},
        contrasts={name: contrast_of(one, family.rows) for name, one in there.items()},
        strongest={name: same_strongest(one) for name, one in there.items()},
        learned=learned_of(family),
        calibrated=ask_calibrated(bins, unit_of(family)),
        bins=bins,
        matters=matters or {},
        survivals=survivals or {},
    )


def impostors_of(family: FamilyResult, explainer: str) -> list[Impostor]:
    """The impostors of an explainer's explanations; none where there is nothing to hold against them."""
    if same_bits(family):
        return []
    untrained = family.untrained.get(explainer)
    return [
        Shuffled(),
        modality(family.dataset.task.kind).another,
        *([] if untrained is None else [UntrainedOrder(untrained, turns_of(family))]),
    ]


def unit_of(family: FamilyResult) -> str:
    """What members are called."""
    brought = is_known("models", family.model) and family.job.architecture.files
    return "checkpoint" if brought else "seed"


def turns_of(family: FamilyResult) -> Int[Tensor, "K"]:
    """Which untrained network of every group explained each row."""
    return turns(family.dataset.splits["test"], family.rows, EACH)


def learned_of(family: FamilyResult) -> Question:
    """Whether the members learned."""
    chance, by = family.chance
    task = family.dataset.task
    targets = family.targets if scoring(task.kind).balanced and not task.cloze else None
    return learned(family.right_each, chance, by, family.metric, targets)


def _scale(family: FamilyResult, name: str, explanation: Explanation) -> Scale:
    return scale_of(explanation, impostors_of(family, name), family.rows).cpu()
