"""Where explanations hold and where not: one chart, with a line for each explainer."""

from collections.abc import Sequence

from holdfast.core.catalogue import catalogue
from holdfast.core.settings import split_label
from holdfast.measure.short import SHORT
from holdfast.report.cells import cell, lead
from holdfast.report.charts import holds
from holdfast.report.charts.select import judged, place, remark, select, words
from holdfast.report.modality import Unit
from holdfast.report.page import Section, Table
from holdfast.study.measurement import Measurement

LOW = "Where the hold is low, explanations of such predictions change with the seed."
SURE = (
    "Where a line lies low, explanations of such predictions change with the seed: look at the confidence at "
    "which you use the model, the probability of what is explained."
)
ALIKE = "The {} explained here are too much alike in confidence and length to say where it holds."


def where(rows: Sequence[Measurement], unit: Unit) -> Section:
    """Hold by confidence; by length, by class and by every comparison folded."""
    explained = judged(rows)
    by_confidence = holds.hold_by(explained, "confidence")
    charts = [
        *by_confidence,
        *holds.hold_by(explained, "length", f"length in {unit.lengths}"),
        *holds.hold_by_label(explained),
    ]
    tables = tuple(table for table in (short(explained, unit),) if table.rows)
    return Section(
        "Where it holds, and where not",
        SURE if by_confidence else LOW if charts else ALIKE.format(unit.examples),
        charts[:1],
        tables,
        folded=[comparisons(rows)],
        hidden=charts[1:],
    )


def short(rows: Sequence[Measurement], unit: Unit) -> Table:
    """The hold of short inputs and of longer ones, which are measured where the short are many."""
    chosen = select(rows, "hold", "short")
    groups = list(dict.fromkeys((r.family, r.explainer) for r in chosen))
    cells = {(r.family, r.explainer, place(r) > SHORT): r for r in chosen}
    first, head = lead([family for family, _ in groups])
    return Table(
        (*head, "explainer", f"two or three {unit.many}", "more"),
        tuple(
            (
                *first(family),
                words(explainer),
                *(cell(cells.get((family, explainer, longer)), scaled=True) for longer in (False, True)),
            )
            for family, explainer in groups
        ),
        f"Hold of short {unit.examples} and of longer ones",
        f"More than a fifth of the {unit.examples} have at most three {unit.many}. So few can be ranked in "
        "few ways only, which makes their hold coarse.",
    )


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
