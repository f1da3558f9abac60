"""F1 in the answer of an audit."""

from typing import Any

from holdfast.measure.quality import quality
from holdfast.study.result import FamilyResult


def f1_of(cell: FamilyResult) -> dict[str, Any]:
    """F1 of each class by its name, and their mean; nothing for recommenders, which rank."""
    if not cell.dataset.task.classes:
        return {}
    measured, classes = quality(cell.probabilities, cell.targets), cell.dataset.task.classes
    macro = measured.macro_f1
    by_class = {classes[number]: each.mean for number, each in measured.f1.items()}
    return {"f1": {"macro": {"mean": macro.mean, "sd": macro.sd, "n": macro.n}, "by_class": by_class}}
