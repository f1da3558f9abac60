"""F1 in the answer of an audit, and of a comparison."""

from collections.abc import Sequence
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.measure.quality import macro_f1, quality
from holdfast.study.result import FamilyResult
from holdfast.train.modality import modality


def score_of(family: FamilyResult) -> tuple[str, Float[Tensor, "M"]]:
    """By what models are compared, and that of each member: macro-F1, or where classes have no F1 what the
    members are right by."""
    task = family.dataset.task
    if not task.classes or task.cloze:
        return modality(task.kind).called or family.metric, family.right
    return "macro-F1", macro_f1(family.probabilities, family.targets)


def f1_of(family: FamilyResult) -> dict[str, Any]:
    """F1 of each class by its name, and their mean; nothing for recommenders, which rank, and for cloze
    questions, whose classes are entities."""
    classes = () if family.dataset.task.cloze else family.dataset.task.classes
    return f1_by_class(family.probabilities, family.targets, classes)


def f1_by_class(
    probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"], classes: Sequence[str]
) -> dict[str, Any]:
    """F1 of each of these classes, in plain values; nothing where there are none."""
    if not classes:
        return {}
    measured = quality(probabilities, targets)
    macro = measured.macro_f1
    by_class = {classes[number]: each.mean for number, each in measured.f1.items()}
    return {"f1": {"macro": {"mean": macro.mean, "sd": macro.sd, "n": macro.n}, "by_class": by_class}}
