"""F1 in the answer of an audit."""

from typing import Any

from holdfast.measure.quality import quality
from holdfast.study.result import FamilyResult


def f1_of(family: FamilyResult) -> dict[str, Any]:
    """F1 of each class by its name, and their mean; nothing for recommenders, which rank, and for cloze
    questions, whose classes are entities."""
    if not family.dataset.task.classes or family.dataset.task.cloze:
        return {}
    measured, classes = quality(family.probabilities, family.targets), family.dataset.task.classes
    macro = measured.macro_f1
    by_class = {classes[number]: each.mean for number, each in measured.f1.items()}
    return {"f1": {"macro": {"mean": macro.mean, "sd": macro.sd, "n": macro.n}, "by_class": by_class}}
