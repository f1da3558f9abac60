"""How good classifiers are, how far their predictions differ: rows of the table."""

from collections.abc import Callable, Iterator

from holdfast.measure.quality import deviation_by_confidence, mean_deviation, quality
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

MakeRow = Callable[..., Measurement]


def classifier_rows(family: FamilyResult, row: MakeRow) -> Iterator[Measurement]:
    """Every row; ``row`` makes one of the family."""
    measured = quality(family.probabilities, family.targets)
    many = {"accuracy": measured.accuracy, "macro_f1": measured.macro_f1, "roc_auc": measured.roc_auc}
    for name, each in many.items():
        if each is not None:
            yield row(name, each)
            yield row(f"{name}_sd", each.sd, n=each.n)
    for number, each in measured.f1.items():
        about = {"by": "label", "label": family.dataset.task.classes[number], "at": float(number)}
        yield row("f1", each, **about)
    for member, value in zip(family.members, measured.accuracy.values, strict=True):
        yield row("accuracy", value, by="member", member=str(member.seed), at=float(member.seed), n=1)
    two = family.probabilities.shape[-1] == 2
    confidence = family.probabilities[..., 1] if two else family.probabilities.max(-1).values
    yield row("deviation", mean_deviation(confidence))
    for bin, apart in deviation_by_confidence(confidence):
        about = {"by": "confidence", "bin": bin.label, "at": bin.at, "n": int(bin.mask.sum())}
        yield row("deviation", apart, **about)
