"""The F1 of each class, by its name: a table for every report of classifiers."""

from collections.abc import Sequence

from holdfast.report.cells import lead
from holdfast.report.charts.select import select
from holdfast.report.page import Entry, Span, Table
from holdfast.study.measurement import Measurement


def f1_table(rows: Sequence[Measurement]) -> Table:
    """A line for each class of each family; empty where nothing is classified."""
    chosen = select(rows, "f1", "label")
    first, head = lead([r.family for r in chosen], always="model")
    lines: list[tuple[Entry, ...]] = [
        (*first(r.family), r.label, Span(r.value, r.low, r.high, share=True)) for r in chosen
    ]
    return Table(
        (*head, "class", "F1"),
        tuple(lines),
        "F1 of each class",
        "Mean over seeds with 95 % intervals. Macro-F1 is the mean over classes, each counting the same.",
    )
