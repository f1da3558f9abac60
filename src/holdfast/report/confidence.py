"""Is the confidence right where it is used? One figure with accuracy, hold and attention, and the errors."""

from collections.abc import Sequence

from holdfast.report.cells import lead
from holdfast.report.charts import confidence as charts
from holdfast.report.charts.select import select
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import number
from holdfast.study.answer import Answer
from holdfast.study.headline import subject
from holdfast.study.measurement import FamilyKey, Measurement

NAMED = {
    "ece": "ECE ↓",
    "ece_calibrated": "ECE if calibrated",
    "overconfidence": "over-confidence",
    "mce": "MCE ↓",
    "ace": "ACE ↓",
    "nll": "NLL ↓",
    "brier": "Brier ↓",
}
MEANT = {
    "ece": "ECE, expected calibration error: how far confidence and accuracy lie apart on average over the "
    "predictions, whichever way, in bins of 0.1.",
    "ece_calibrated": "ECE if calibrated: what a perfectly calibrated model would show on so many examples, "
    "by chance alone.",
    "overconfidence": "Over-confidence: the same with its sign, confidence − accuracy; above 0 the models "
    "are surer than they are right.",
    "mce": "MCE: the gap of the worst bin.",
    "ace": "ACE: the ECE of every class, in bins of equal count (Nixon et al. 2019).",
    "nll": "NLL: the negative log-likelihood of what is right.",
    "brier": "Brier: the squared error of the probabilities.",
}
OVER = {
    "all": "over seeds",
    "examples": "over examples",
}
INTERVALS = (
    "95 % intervals over seeds say what another seed would give on these test examples (Student's t); those "
    "over examples what other test examples would give these seeds (bootstrap)."
)


def confidence(rows: Sequence[Measurement], answer: Answer, meant: str) -> Section:
    """The joined figure, the reliability diagrams folded, and every calibration error; ``meant`` says what
    confidence is."""
    hidden = [*charts.reliability(rows), *charts.by_class(rows)]
    text = " ".join(filter(None, (_answered(answer), meant, _errors(rows, answer))))
    title = "Is the confidence right where it is used?"
    return Section(title, text, charts.joined(rows), folded=[errors(rows)], hidden=hidden)


def errors(rows: Sequence[Measurement]) -> Table:
    """Every error of each family, with both intervals."""
    cells = {(row.family, row.by, row.quantity): row for row in rows if row.quantity in NAMED}
    names = [name for name in NAMED if any(quantity == name for *_, quantity in cells)]
    families = list(dict.fromkeys(row.family for row in select(rows, "ece")))
    first, head = lead(families, always="repair")
    lines: list[tuple[Entry, ...]] = [
        (*first(family), said, *(_cell(cells, family, by, name) for name in names))
        for family in families
        for by, said in OVER.items()
    ]
    meant = " ".join(MEANT[name] for name in names)
    columns = (*head, "interval", *(NAMED[name] for name in names))
    return Table(columns, tuple(lines), "Calibration in numbers", f"{INTERVALS} {meant}")


def _cell(
    cells: dict[tuple[FamilyKey, str, str], Measurement], family: FamilyKey, by: str, name: str
) -> Span:
    row = cells.get((family, by, name))
    return Span(None) if row is None else Span(row.value, row.low, row.high, digits=3)


def _answered(answer: Answer) -> str:
    """What the question of the first row says."""
    question = None if answer.row is None else answer.row.question("calibrated")
    if question is None or not question.because:
        return ""
    words = {"warning": "Not everywhere", "passed": "As far as can be seen", "not asked": "Not asked"}
    word = words.get(question.answer, "Undecided")
    return f"{word}{subject(answer)}: {question.because}."


def _errors(rows: Sequence[Measurement], answer: Answer) -> str:
    """ECE and over-confidence of the family that decides, else of the first, with what they are."""
    row = answer.row
    own = [] if row is None else [r for r in rows if r.family == (row.data, row.model, row.repair)]
    ece, floor, signed = (
        next(iter(select(own or rows, name)), None) for name in ("ece", "ece_calibrated", "overconfidence")
    )
    if ece is None or floor is None or signed is None:
        return ""
    way = "surer than right" if signed.value > 0 else "less sure than right"
    return (
        f"Confidence and accuracy lie {number(ece.value, 3)} apart on average (ECE; a perfectly calibrated "
        f"model would show {number(floor.value, 3)} on so many examples); with its sign that is "
        f"{number(signed.value, 3)}: on the whole the models are {way}."
    )
