"""Explainers against each other, and against the truth where it is known."""

from collections.abc import Sequence

from holdfast.report.cells import cell, lead
from holdfast.report.charts import agree
from holdfast.report.charts.select import judged, select, words
from holdfast.report.modality import Unit
from holdfast.report.page import Entry, Section, Table
from holdfast.study.measurement import Measurement


def agreement(rows: Sequence[Measurement], unit: Unit) -> Section:
    """The truth, a matrix of explainers, and what scores leave out."""
    names = list(dict.fromkeys(row.comparison for row in select(rows, "agreement")))
    figures = [
        *agree.truth(rows, unit),
        *(figure for name in names[:1] for figure in agree.agreement(judged(rows), name)),
    ]
    text = "Two methods that disagree about the same prediction cannot both be its explanation."
    folded = [*([_by_comparison(rows, names)] if len(names) > 1 else ()), *losses(rows, unit)]
    return Section("Do the explainers agree?", text, figures, folded=folded)


def losses(rows: Sequence[Measurement], unit: Unit) -> list[Table]:
    """What scores that should add up to something leave out of it."""
    measured = select(rows, "lost")
    first, head = lead([row.family for row in measured])
    lines: list[tuple[Entry, ...]] = [
        (*first(row.family), words(row.explainer), cell(row, share=True)) for row in measured
    ]
    text = (
        "Of what scores should add up to (by rules the evidence for the class, by integrated gradients the "
        f"log-odds less those of zero vectors), the share that {unit.many} were not given; 95 % over seeds."
    )
    table = Table((*head, "explainer", "lost"), tuple(lines), "What the scores leave out", text)
    return [table] if lines else []


def _by_comparison(rows: Sequence[Measurement], names: Sequence[str]) -> Table:
    cells = {(*r.family, r.explainer, r.other_explainer, r.comparison): r for r in select(rows, "agreement")}
    pairs = list(dict.fromkeys(key[:5] for key in cells))
    first, head = lead([pair[:3] for pair in pairs])
    return Table(
        (*head, "explainer", "other", *map(words, names)),
        tuple(
            (*first(p[:3]), words(p[3]), words(p[4]), *(cell(cells.get((*p, name))) for name in names))
            for p in pairs
        ),
        "Agreement by every comparison",
    )
