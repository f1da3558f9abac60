"""How calibrated a family is: rows of the table."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.catalogue import is_known
from holdfast.core.errors import BadData
from holdfast.measure.calibrated import ConfidenceBin, confidence_bins
from holdfast.measure.calibration import calibrated_ece, reliability
from holdfast.measure.miscalibration import miscalibration
from holdfast.measure.reduce import Interval
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult
from holdfast.train.family import template
from holdfast.train.modality import modality

MakeRow = Callable[..., Measurement]
BY_CLASS = "reliability_by_class"
PAIRS = ("not taken", "taken")  # the classes of a recommender that scores pairs


def calibrated_of(family: FamilyResult) -> tuple[Float[Tensor, "M K A"], Int[Tensor, "K"]]:
    """The probabilities of what can be calibrated, and which answers are right, on the family's device."""
    logits = family.probabilities.log() if family.logits is None else family.logits
    answers, right = logits, family.targets
    # results are read without the code of models outside the package, and without the files of a checkpoint
    if is_known("models", family.model):
        with suppress(BadData):
            model = template(family.job.architecture, family.dataset.task)
            answers, right = model.calibrated(logits, family.targets)
    return answers.to(family.device).softmax(-1), right.to(family.device)


def bins_of(family: FamilyResult) -> list[ConfidenceBin]:
    """Accuracy against confidence, bin by bin."""
    return confidence_bins(*calibrated_of(family), len(family.targets))


def calibration_rows(
    family: FamilyResult, row: MakeRow, bins: Sequence[ConfidenceBin]
) -> Iterator[Measurement]:
    """Every row; ``row`` makes one of the family, ``bins`` are :func:`bins_of` it."""
    task = family.dataset.task
    names, balanced = task.classes or PAIRS, modality(task.kind).balanced
    return answer_rows(*calibrated_of(family), row, bins, names, len(family.targets), balanced)


def answer_rows(
    probabilities: Float[Tensor, "M K A"],
    targets: Int[Tensor, "K"],
    row: MakeRow,
    bins: Sequence[ConfidenceBin],
    names: Sequence[str],
    examples: int | None = None,
    balanced: bool = True,
) -> Iterator[Measurement]:
    """The rows of these answers, as :func:`miscalibration` measures them; ``names`` are those of the classes.
    Intervals of ``by="examples"`` are over test examples."""
    for name, measured in miscalibration(probabilities, targets, examples, balanced).items():
        yield row(name, measured.members)
        yield row(name, measured.examples, by="examples")
    floor = sum(calibrated_ece(member) for member in probabilities) / len(probabilities)
    yield row("ece_calibrated", floor, n=len(probabilities))
    for one in bins:
        yield row("reliability", _accuracy(one), **_place(one.low, one.confidence, one.count))
    if probabilities.shape[-1] == 2:
        yield from _by_class(probabilities, targets, names, row)


def _by_class(
    probabilities: Tensor, targets: Tensor, names: Sequence[str], row: MakeRow
) -> Iterator[Measurement]:
    """The same for each true class by itself, as Jain Figure 3.7 has it."""
    for number, name in enumerate(names):
        chosen = probabilities[:, targets == number].flatten(0, 1)
        curve = reliability(chosen, targets.new_full((len(chosen),), number))
        columns = (curve.at - 0.05, curve.confidence, curve.accuracy, curve.count / len(probabilities))
        for low, sure, right, count in zip(*(column.tolist() for column in columns), strict=True):
            if count:
                yield row(BY_CLASS, right, label=name, **_place(low, sure, count))


def _accuracy(one: ConfidenceBin) -> Interval:
    """The accuracy with the interval of its gap to the confidence."""
    low, high = one.gap.low, one.gap.high
    if low is None or high is None:
        return Interval(one.accuracy, None, None, one.gap.n)
    return Interval(one.accuracy, one.confidence - high, one.confidence - low, one.gap.n)


def _place(low: float, confidence: float, count: float) -> dict[str, object]:
    return {"by": "confidence", "bin": f"{low:.1f}", "at": confidence, "n": round(count)}
