"""How good classifiers are, how far their predictions differ: rows of the table."""

from collections.abc import Callable, Iterator, Sequence

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Member
from holdfast.measure.quality import deviation_by_confidence, mean_deviation, quality
from holdfast.measure.reduce import spread
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult
from holdfast.train.objective import accuracy

MakeRow = Callable[..., Measurement]


def classifier_rows(family: FamilyResult, row: MakeRow) -> Iterator[Measurement]:
    """Every row; ``row`` makes one of the family."""
    task = family.dataset.task
    classes = () if task.cloze else task.classes
    return quality_rows(family.probabilities, family.targets, family.members, classes, row)


def quality_rows(
    probabilities: Float[Tensor, "M N C"],
    targets: Int[Tensor, "N"],
    members: Sequence[Member],
    classes: Sequence[str],
    row: MakeRow,
) -> Iterator[Measurement]:
    """The rows of these predictions, by class where the ``classes`` have names; of a single member nothing
    that is about several."""
    right = spread(accuracy(probabilities, targets))
    yield row("accuracy", right)
    if len(members) > 1:
        yield row("accuracy_sd", right.sd, n=right.n)
    if classes:
        yield from _by_class(probabilities, targets, classes, row)
    for member, value in zip(members, right.values, strict=True):
        yield row("accuracy", value, by="member", member=str(member.seed), at=float(member.seed), n=1)
    if len(members) > 1:
        yield from deviation_rows(probabilities, row)


def deviation_rows(probabilities: Float[Tensor, "M N C"], row: MakeRow) -> Iterator[Measurement]:
    """How far the predictions of several members differ."""
    two = probabilities.shape[-1] == 2
    confidence = probabilities[..., 1] if two else probabilities.max(-1).values
    yield row("deviation", mean_deviation(confidence))
    for bin, apart in deviation_by_confidence(confidence):
        about = {"by": "confidence", "bin": bin.label, "at": bin.at, "n": int(bin.mask.sum())}
        yield row("deviation", apart, **about)


def _by_class(
    probabilities: Tensor, targets: Tensor, classes: Sequence[str], row: MakeRow
) -> Iterator[Measurement]:
    measured = quality(probabilities, targets)
    for name, each in {"macro_f1": measured.macro_f1, "roc_auc": measured.roc_auc}.items():
        if each is not None:
            yield row(name, each)
            if each.n > 1:
                yield row(f"{name}_sd", each.sd, n=each.n)
    for number, each in measured.f1.items():
        yield row("f1", each, by="label", label=classes[number], at=float(number))
