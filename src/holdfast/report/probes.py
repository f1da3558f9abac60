"""How far predictions fall without what explainers point at: a table, where it was asked for."""

from collections.abc import Sequence

from holdfast.report.charts.select import select, words
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import describe
from holdfast.study.measurement import Measurement

MAPS = {
    "permutation": "change of the predicted class's probability",
    "permutation_log_odds": "change of the predicted class's log-odds",
    "even_attention": "change of the predicted class's probability",
    "adversarial": "distance to the model's own attention (Jensen–Shannon)",
}
SAID = (
    "Drop: how far the prediction of the explained class falls, mean over the steps of the probe, what "
    "supports it most changed first; beside it the drop in random order. Share: how much of what "
    "leave-one-out's own order gains over random order an explainer's order gains; 0 is no better than "
    "chance. 95 % intervals over seeds."
)


def probed(rows: Sequence[Measurement]) -> Section:
    """A section with a line for each explainer and probe, and one for each change of attention; empty where
    nothing was probed."""
    text = "An explanation that points at what the model does not need explains something else."
    tables = [table for table in (_table(rows), _maps(rows)) if table.rows]
    return Section("Do the models need what explanations point at?", text, folded=tables)


def _table(rows: Sequence[Measurement]) -> Table:
    found = select(rows, "drop")
    others = {(r.family, r.probe, r.explainer, r.quantity): r for r in rows if r.probe and r.by == "all"}
    several = len({row.family for row in found}) > 1
    lines: list[tuple[Entry, ...]] = [
        (
            *(row.family if several else ()),
            words(row.explainer),
            words(row.probe),
            _span(row),
            _span(others.get((row.family, row.probe, "", "drop_random"))),
            _span(others.get((row.family, row.probe, row.explainer, "drop_share"))),
        )
        for row in found
    ]
    columns = ("explainer", "probe", "drop", "random order", "share of leave-one-out's gain")
    probes = " ".join(
        filter(None, (describe("probes", name) for name in dict.fromkeys(r.probe for r in found)))
    )
    lead = ("data", "model", "repair") if several else ()
    title = "How far predictions fall without it"
    return Table((*lead, *columns), tuple(lines), title, " ".join(filter(None, (probes, SAID))))


def _maps(rows: Sequence[Measurement]) -> Table:
    """How far predictions move when attention is changed."""
    changed = [row for row in rows if row.probe and row.by == "all" and row.quantity in MAPS]
    several = len({row.family for row in changed}) > 1
    lines: list[tuple[Entry, ...]] = [
        (*(row.family if several else ()), words(row.probe), MAPS[row.quantity], _span(row))
        for row in changed
    ]
    said = [describe("probes", name) for name in dict.fromkeys(row.probe for row in changed)]
    lead = ("data", "model", "repair") if several else ()
    columns = (*lead, "change of attention", "what is measured", "mean")
    title = "How far predictions move when attention is changed"
    return Table(columns, tuple(lines), title, " ".join(filter(None, (*said, "95 % intervals over seeds."))))


def _span(row: Measurement | None) -> Span:
    return Span(None) if row is None else Span(row.value, row.low, row.high, digits=3)
