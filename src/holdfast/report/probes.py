"""Whether models need what explainers point at, by every probe that was asked for: a table."""

from collections.abc import Sequence

from holdfast.core.catalogue import catalogue
from holdfast.core.errors import HoldfastError
from holdfast.core.settings import build, split_label
from holdfast.measure.probes.base import Probe
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
COLUMNS = (
    "explainer",
    "probe",
    "what is measured",
    "in its order",
    "in random order",
    "better than random by",
    "share of leave-one-out's gain",
)
SAID = (
    "What is measured is the mean over the steps of the probe, what supports the explained class most first; "
    "beside it the same in random order. Better than random by: the difference for each seed, above 0 where "
    "its order is better, whichever direction is. Share of leave-one-out's gain: how much of what "
    "leave-one-out's own order gains over random order an explainer's order gains; 0 is no better than "
    "chance. 95 % intervals over seeds."
)
FLIPS = (
    "Never flipped: in how many cases even the largest noise tried left the prediction as it was; these "
    "count with that noise."
)


def probed(rows: Sequence[Measurement]) -> Section:
    """A section with a line for each explainer and probe, and one for each change of attention; empty where
    nothing was probed."""
    text = "An explanation that points at what the model does not need explains something else."
    tables = [table for table in (_table(rows), _maps(rows)) if table.rows]
    return Section("Do the models need what explanations point at?", text, folded=tables)


def _table(rows: Sequence[Measurement]) -> Table:
    found = _by_probe(select(rows, "drop"))
    others = {(r.family, r.probe, r.explainer, r.quantity): r for r in rows if r.probe and r.by == "all"}
    several = len({row.family for row in found}) > 1
    flips = any(row.quantity == "drop_unflipped" for row in rows)

    def beside(row: Measurement, quantity: str, explainer: str) -> Span:
        return _span(others.get((row.family, row.probe, explainer, quantity)))

    lines: list[tuple[Entry, ...]] = [
        (
            *(row.family if several else ()),
            words(row.explainer),
            words(row.probe),
            measured_by(row.probe),
            _span(row),
            beside(row, "drop_random", ""),
            beside(row, "drop_gain", row.explainer),
            beside(row, "drop_share", row.explainer),
            *((beside(row, "drop_unflipped", row.explainer),) if flips else ()),
        )
        for row in found
    ]
    columns = (*COLUMNS, "never flipped") if flips else COLUMNS
    probes = " ".join(
        filter(None, (describe("probes", name) for name in dict.fromkeys(r.probe for r in found)))
    )
    lead = ("data", "model", "repair") if several else ()
    said = (probes, SAID, FLIPS if flips else "")
    return Table((*lead, *columns), tuple(lines), "What the order is worth", " ".join(filter(None, said)))


def _by_probe(rows: list[Measurement]) -> list[Measurement]:
    """Families as they came, in each the explainers of one probe under each other."""
    place = {name: number for number, name in enumerate(dict.fromkeys(row.probe for row in rows))}
    families = {name: number for number, name in enumerate(dict.fromkeys(row.family for row in rows))}
    return sorted(rows, key=lambda row: (families[row.family], place[row.probe]))


def measured_by(probe: str) -> str:
    """What a probe measures, and which direction is better; code outside the package is not asked, so that a
    report is the same without it.

    >>> measured_by("sufficiency:of=evidence")
    'fall of the evidence (logit), lower is better'
    """
    name, settings = split_label(probe)
    cls = catalogue("probes").get(name)
    try:
        made = None if cls is None else build(cls, settings)
    except HoldfastError:  # of an older run, whose settings may be others
        made = None
    if not isinstance(made, Probe):
        return "as the probe says"
    return f"{made.measured}, {'higher' if made.higher_is_better else 'lower'} is better"


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
