"""A figure is a small record of numbers; the report, the page and a CSV file all show the same record."""

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from holdfast.core.errors import BadSetting
from holdfast.report.charts.svg import printable

Value = str | float | int | None
Kind = Literal[
    "lines",
    "dots",
    "strip",
    "bars",
    "matrix",
    "reliability",
    "surface",
    "paths",
    "points",
    "crosses",
    "published",
]

COLUMNS: dict[Kind, tuple[str, ...]] = {
    "lines": ("facet", "series", "x", "value", "low", "high"),
    "dots": ("facet", "label", "series", "value", "low", "high"),
    "strip": ("label", "part", "member", "value", "low", "high"),
    "bars": ("facet", "label", "series", "value", "low", "high"),
    "matrix": ("row", "column", "value"),
    "reliability": ("series", "x", "value", "low", "high", "n"),
    "surface": ("part", "series", "step", "x", "y", "value"),
    "paths": ("series", "step", "x", "y"),
    "points": ("series", "x", "y"),
    "crosses": ("label", "x", "x_low", "x_high", "value", "low", "high"),
    "published": ("table", "row", "column", "published", "measured", "low", "high", "n"),
}


@dataclass(frozen=True)
class Figure:
    """One figure, as plain columns of numbers.

    ``kind`` says how it is drawn and so which columns it has (``COLUMNS``); ``x``, ``y`` and ``series`` are
    the titles of axes and legend; ``limits`` fixes the value axis, ``marks`` are reference lines on it, and
    ``diagonal`` is one where both axes agree. Where many lines would cross, ``banded`` is the one series
    whose interval is drawn.

    >>> figure = Figure("k", "Title", "Caption.", "paths", table("paths", [("0", 1, 0.5, 0.25)]))
    >>> figure.data["x"]
    (0.5,)
    """

    key: str
    title: str
    caption: str
    kind: Kind
    data: Mapping[str, tuple[Value, ...]]
    x: str = ""
    y: str = ""
    series: str = ""
    limits: tuple[float, float] | None = None
    marks: tuple[float, ...] = ()
    banded: str = ""
    diagonal: bool = False

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise BadSetting(
                f"figure kind: expected one of {', '.join(get_args(Kind))}, but got '{self.kind}'"
            )
        if tuple(self.data) != COLUMNS[self.kind]:
            raise BadSetting(
                f"figure '{self.key}': expected the columns {', '.join(COLUMNS[self.kind])}, "
                f"but got {', '.join(self.data)}"
            )
        if len({len(column) for column in self.data.values()}) > 1:
            raise BadSetting(f"figure '{self.key}': expected columns of one length, but got several")

    def __len__(self) -> int:
        return len(next(iter(self.data.values())))

    def records(self) -> list[dict[str, Any]]:
        """One dictionary per row."""
        return [dict(zip(self.data, row, strict=True)) for row in zip(*self.data.values(), strict=True)]

    def unique(self, column: str) -> list[Value]:
        """The values of a column, each once, in the order they appear."""
        return list(dict.fromkeys(self.data[column]))


def table(kind: Kind, rows: Iterable[tuple[Value, ...]]) -> dict[str, tuple[Value, ...]]:
    """Rows as the columns that this kind of figure has; numbers that are not finite become None.

    >>> table("matrix", [("a", "b", float("nan"))])
    {'row': ('a',), 'column': ('b',), 'value': (None,)}
    """
    kept = [tuple(map(_clean, row)) for row in rows]
    return {name: tuple(row[i] for row in kept) for i, name in enumerate(COLUMNS[kind])}


def figure_csv(figure: Figure) -> str:
    """The numbers of a figure as CSV.

    Text that a spreadsheet would run as a formula is given a leading apostrophe.

    >>> figure_csv(Figure("k", "", "", "matrix", table("matrix", [("=1+1", "b", 0.5)])))
    "row,column,value\\r\\n'=1+1,b,0.5\\r\\n"
    """
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(figure.data)
    writer.writerows([[_plain(cell) for cell in record.values()] for record in figure.records()])
    return sink.getvalue()


def _clean(cell: Value) -> Value:
    if isinstance(cell, str):
        return printable(cell)
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _plain(cell: Value) -> Value:
    risky = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if risky else cell
