"""How well recommenders rank: a table for every report that has some."""

from collections.abc import Sequence

from holdfast.report.figures.rollout import data_name, model_name
from holdfast.report.figures.rows import pick, words
from holdfast.report.page import Entry, Span, Table
from holdfast.study.rollout_names import by_place
from holdfast.study.rollout_plan import LONG
from holdfast.study.table import Row

RANKED = ("hr@10", "ndcg@10", "mrr")
AMONG = tuple((name, among) for among in ("sampled", "all items") for name in RANKED)
SAME = ("hr@10", "sampled")  # as recall@10 %, where 101 are ranked


def ranking_table(rows: Sequence[Row]) -> Table:
    """Recall@10 %, and ranking among the sampled and among all items; empty where nothing is ranked."""
    found = by_place(row for row in pick(rows, "recall") if row.data not in LONG.values())
    ranked = [_ranked(rows, row) for row in found]
    again = all(
        at.get(SAME) is None or at[SAME].value == r.value for r, at in zip(found, ranked, strict=True)
    )
    columns = [what for what in AMONG if not (again and what == SAME)]
    lines: list[tuple[Entry, ...]] = [
        (
            data_name(r.data),
            model_name(r.model, r.repair),
            _span(r),
            *(_span(at.get(what)) for what in columns),
        )
        for r, at in zip(found, ranked, strict=True)
    ]
    return Table(
        ("data", "model", words("recall"), *(f"{name}, {among}" for name, among in columns)),
        tuple(lines),
        "How well the next item is found",
        "Sampled: among the item and 100 that the user never touched, or as many as the notes say. All "
        "items: every one that the user does not know. 95 % intervals over seeds.",
    )


def _ranked(rows: Sequence[Row], one: Row) -> dict[tuple[str, str], Row]:
    cell = (one.data, one.model, one.repair, "among")
    return {(r.quantity, r.bin): r for r in rows if (r.data, r.model, r.repair, r.by) == cell}


def _span(row: Row | None) -> Span:
    return Span(None) if row is None else Span(row.value, row.low, row.high, digits=3)
