"""What the repairs of a report gain and cost."""

from collections.abc import Sequence

from holdfast.report.cells import cell, lead
from holdfast.report.charts import repaired
from holdfast.report.charts.select import judged, select, words
from holdfast.report.page import Section, Table
from holdfast.study.measurement import Measurement


def repairs(rows: Sequence[Measurement], worth: Sequence[str] = ()) -> Section:
    """Whether each is worth it, and hold gained beside accuracy lost; empty where nothing was repaired."""
    gained = select(judged(rows), "gain")
    if not gained and not select(rows, "cost"):
        return Section("What a repair changes")
    hold = {(*r.family, r.explainer): r for r in select(rows, "hold")}
    change = {(*r.family, r.explainer): r for r in select(rows, "change")}
    first, head = lead([r.family for r in gained], always="repair")
    table = Table(
        (*head, "explainer", "hold before", "hold after", "gain", "change"),
        tuple(
            (
                *first(r.family),
                words(r.explainer),
                cell(hold.get((r.data, r.model, "none", r.explainer)), scaled=True),
                cell(hold.get((*r.family, r.explainer)), scaled=True),
                cell(r),
                cell(change.get((*r.family, r.explainer))),
            )
            for r in gained
        ),
        "Hold before and after",
        "Gain: against the impostors that both have. Change: how far repaired explanations lie from the "
        "unrepaired of the same seed (Jensen–Shannon; 0 is the same).",
    )
    about = "Hold gained, beside the accuracy that it costs. An interval that crosses 0 decides nothing."
    text = " ".join([*worth, about])
    return Section(
        "What a repair changes", text, [*repaired.gain(judged(rows)), *repaired.cost(rows)], [table]
    )
