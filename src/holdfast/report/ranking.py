"""How well recommenders rank: a table for reports about recommenders."""

from collections.abc import Callable, Sequence

from holdfast.report.charts.select import select, words
from holdfast.report.page import Entry, Span, Table
from holdfast.study.measurement import Measurement

RANKED = ("hr@10", "ndcg@10", "mrr")
AMONG = tuple((name, among) for among in ("sampled", "all items") for name in RANKED)
SAME = ("hr@10", "sampled")  # equals recall@10 % where 101 items are ranked


Names = Callable[[Measurement], tuple[str, str]]  # the names of data and model


def ranking_table(rows: Sequence[Measurement], names: Names | None = None) -> Table:
    """Recall@10 %, and ranking among the sampled and among all items; empty where nothing is ranked."""
    recalls, name = select(rows, "recall"), names or _plain
    ranked = [_ranked(rows, row) for row in recalls]
    again = all(
        at.get(SAME) is None or at[SAME].value == r.value for r, at in zip(recalls, ranked, strict=True)
    )
    columns = [what for what in AMONG if not (again and what == SAME)]
    lines: list[tuple[Entry, ...]] = [
        (
            *name(r),
            _span(r),
            *(_span(at.get(what)) for what in columns),
        )
        for r, at in zip(recalls, ranked, strict=True)
    ]
    return Table(
        ("data", "model", words("recall"), *(f"{name}, {among}" for name, among in columns)),
        tuple(lines),
        "How well the next item is found",
        "Sampled: ranked against 100 items that the user never touched, or as many as the notes say. All "
        "items: ranked against every item that is not in the history. 95 % intervals over seeds.",
    )


def _plain(row: Measurement) -> tuple[str, str]:
    return row.data, row.model + ("" if row.repair == "none" else f" ({row.repair})")


def _ranked(rows: Sequence[Measurement], one: Measurement) -> dict[tuple[str, str], Measurement]:
    family = (one.data, one.model, one.repair, "among")
    return {(r.quantity, r.bin): r for r in rows if (r.data, r.model, r.repair, r.by) == family}


def _span(row: Measurement | None) -> Span:
    return Span(None) if row is None else Span(row.value, row.low, row.high, digits=3)
