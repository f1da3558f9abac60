"""What becomes of explanations when inputs change a little: a table, where it was asked for."""

from collections.abc import Sequence

from holdfast.report.charts.select import words
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import describe
from holdfast.study.measurement import Measurement

BY = "perturbation"
SAID = (
    "Hold: how much of an explanation is left, by the same seed; 1 is the same again, 0 as far as that of an "
    "unrelated input. Unflipped: without seeds and examples whose prediction changed. Flips: how often it "
    "does. 95 % intervals over seeds and examples."
)


def changes(rows: Sequence[Measurement]) -> Section:
    """A section with a line for each explainer and perturbation; empty where nothing was perturbed."""
    held = [row for row in rows if row.by == BY and row.quantity == "hold_change"]
    others = {_key(row): row for row in rows if row.by == BY}
    several = len({row.family for row in held}) > 1
    lines: list[tuple[Entry, ...]] = [
        (
            *(row.family if several else ()),
            words(row.explainer),
            words(row.bin),
            Span(row.value, row.low, row.high, scaled=True),
            _span(others.get((*_key(row)[:-1], "hold_unflipped")), scaled=True),
            _span(others.get((*_key(row)[:-1], "flips"))),
            str(row.n),
        )
        for row in held
    ]
    lead = ("data", "model", "repair") if several else ()
    columns = (*lead, "explainer", "change", "hold", "unflipped", "flips", "changed examples")
    said = [describe("perturbations", name) for name in dict.fromkeys(row.bin for row in held)]
    table = Table(columns, tuple(lines), "What survives a change", " ".join([*filter(None, said), SAID]))
    text = "An explanation that another wording or one item less turns over says little of this input."
    return Section("Do explanations survive a small change of the input?", text, tables=[table])


def _key(row: Measurement) -> tuple[object, ...]:
    return row.family, row.explainer, row.bin, row.quantity


def _span(row: Measurement | None, scaled: bool = False) -> Span:
    if row is None:
        return Span(None)
    return Span(row.value, row.low, row.high, scaled=scaled, share=not scaled)
