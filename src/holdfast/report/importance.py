"""Which columns of a table weigh most over all rows, and how stable that ranking is over members."""

from collections.abc import Sequence

from holdfast.report.cells import Group, cell, lead
from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.select import key, select, words
from holdfast.report.page import Entry, Section, Table
from holdfast.study.measurement import Measurement

DRAWN, LISTED = 15, 30
TEXT = (
    "The mean size of a column's score over the explained rows, as a share of that of all columns; 95 % "
    "intervals over members. It says what the models look at, not what causes what."
)
STABLE = (
    "Spearman's correlation between the rankings of two members, mean over all pairs, with its 95 % "
    "interval over members, and how often two members name the same column first."
)


def importance(rows: Sequence[Measurement]) -> Section:
    """A figure for the first explainer of each family, and tables for all; empty where nothing is ranked."""
    weights = select(rows, "importance", "column")
    groups = list(dict.fromkeys((r.family, r.explainer) for r in weights))
    families = list(dict.fromkeys(family for family, _ in groups))
    first, head = lead(families)
    figures = []
    for family in families:
        explainer = next(name for own, name in groups if own == family)
        chosen = [r for r in weights if (r.family, r.explainer) == (family, explainer)][:DRAWN]
        named = ", ".join((words(explainer), *first(family)))
        figures.append(_figure(key("columns", *family), named, chosen))
    return Section(
        "Which columns weigh most",
        TEXT,
        figures,
        _stability(rows, families),
        folded=_lists(weights, groups, head),
    )


def _figure(name: str, of: str, rows: Sequence[Measurement]) -> Figure:
    lines = [("", r.bin, "", 100 * r.value, _percent(r.low), _percent(r.high)) for r in rows]
    caption = f"The {len(rows)} columns with the largest mean |score| by {of}, in percent of all columns."
    return Figure(name, f"By {of}", caption, "dots", table("dots", lines), x="share of all weight, %")


def _percent(end: float | None) -> float | None:
    return None if end is None else 100 * end


def _stability(rows: Sequence[Measurement], families: Sequence[Group]) -> list[Table]:
    first, head = lead(families)
    firsts = {(r.family, r.explainer): r for r in select(rows, "ranking_first")}
    lines: list[tuple[Entry, ...]] = [
        (*first(r.family), words(r.explainer), cell(r), cell(firsts.get((r.family, r.explainer)), share=True))
        for r in select(rows, "ranking")
    ]
    columns = (*head, "explainer", "correlation of rankings", "same column first")
    return [Table(columns, tuple(lines), "How stable the ranking is", STABLE)] if lines else []


def _lists(
    rows: Sequence[Measurement], groups: Sequence[tuple[Group, str]], head: tuple[str, ...]
) -> list[Table]:
    found = []
    for family, explainer in groups:
        own = [r for r in rows if (r.family, r.explainer) == (family, explainer)][:LISTED]
        lines: list[tuple[Entry, ...]] = [
            (str(place), r.bin, cell(r, share=True)) for place, r in enumerate(own, 1)
        ]
        of = ", ".join(
            (words(explainer), *(family[("data", "model", "repair").index(name)] for name in head))
        )
        found.append(Table(("rank", "column", "share of all weight"), tuple(lines), f"Columns by {of}"))
    return found
