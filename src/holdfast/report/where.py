"""Where explanations hold and where not: one chart, with a line for each explainer."""

from collections.abc import Sequence

from holdfast.core.catalogue import catalogue
from holdfast.core.settings import split_label
from holdfast.report.cells import cell, lead
from holdfast.report.charts import holds
from holdfast.report.charts.select import judged, remark, select, words
from holdfast.report.modality import Unit
from holdfast.report.page import Section, Table
from holdfast.study.measurement import Measurement


def where(rows: Sequence[Measurement], unit: Unit) -> Section:
    """Hold by confidence; by length, by class and by every comparison folded."""
    text = (
        "Where a line lies low, explanations of such predictions change with the seed: look at the "
        "confidence at which you use the model, the probability of what is explained."
    )
    explained = judged(rows)
    charts = [
        *holds.hold_by(explained, "confidence"),
        *holds.hold_by(explained, "length", f"length in {unit.lengths}"),
        *holds.hold_by_label(explained),
    ]
    folded = [comparisons(rows)]
    return Section("Where it holds, and where not", text, charts[:1], folded=folded, hidden=charts[1:])


def comparisons(rows: Sequence[Measurement]) -> Table:
    """Stability by each comparison, over all examples."""
    measured = select(rows, "stability")
    names = list(dict.fromkeys(row.comparison for row in measured))
    groups = list(dict.fromkeys((r.data, r.model, r.repair, r.explainer) for r in measured))
    cells = {(r.data, r.model, r.repair, r.explainer, r.comparison): r for r in measured}
    first, head = lead([group[:3] for group in groups])
    return Table(
        (*head, "explainer", *(f"{words(name)}{_arrow(name)}" for name in names)),
        tuple(
            (*first(group[:3]), words(group[3]), *(cell(cells.get((*group, name))) for name in names))
            for group in groups
        ),
        "Every comparison between seeds, in numbers",
        "Mean over pairs of seeds, each on its own scale and not as a hold, with 95 % intervals over seeds. "
        "↑ higher is closer, ↓ lower is closer." + remark(names),
    )


def _arrow(name: str) -> str:
    compared = catalogue("comparisons").get(split_label(name)[0])
    return "" if compared is None else " ↑" if compared.higher_is_better else " ↓"  # type: ignore[attr-defined]
