"""How good classifiers are, how far their predictions differ: rows of the table."""

from collections.abc import Callable, Iterator

from holdfast.measure.quality import deviation_by_confidence, mean_deviation, quality
from holdfast.measure.reduce import spread
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

MakeRow = Callable[..., Measurement]


def classifier_rows(family: FamilyResult, row: MakeRow) -> Iterator[Measurement]:
    """Every row; ``row`` makes one of the family."""
    right = spread(family.right)
    yield row("accuracy", right)
    yield row("accuracy_sd", right.sd, n=right.n)
    if not family.dataset.task.cloze:
        yield from _by_class(family, row)
    for member, value in zip(family.members, right.values, strict=True):
        yield row("accuracy", value, by="member", member=str(member.seed), at=float(member.seed), n=1)
    if right.n < 2:
        return
    two = family.probabilities.shape[-1] == 2
    confidence = family.probabilities[..., 1] if two else family.probabilities.max(-1).values
    yield row("deviation", mean_deviation(confidence))
    for bin, apart in deviation_by_confidence(confidence):
        about = {"by": "confidence", "bin": bin.label, "at": bin.at, "n": int(bin.mask.sum())}
        yield row("deviation", apart, **about)


def _by_class(family: FamilyResult, row: MakeRow) -> Iterator[Measurement]:
    measured = quality(family.probabilities, family.targets)
    for name, each in {"macro_f1": measured.macro_f1, "roc_auc": measured.roc_auc}.items():
        if each is not None:
            yield row(name, each)
            yield row(f"{name}_sd", each.sd, n=each.n)
    for number, each in measured.f1.items():
        about = {"by": "label", "label": family.dataset.task.classes[number], "at": float(number)}
        yield row("f1", each, **about)
