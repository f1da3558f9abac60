"""What a page is made of: sections of text, tables and figures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.core.errors import BadSetting
from holdfast.measure.question import places
from holdfast.report.charts.base import Figure
from holdfast.report.grids import Grid
from holdfast.report.texts import Badge, number, percent, significant, times


@dataclass(frozen=True)
class Span:
    """A number with its interval.

    ``share`` shows it in percent, ``ratio`` as how many times as large, ``exact`` with three digits that say
    something, however small it is; ``down`` rounds down, as the verdict does, so that what is below a limit
    never reads as the limit; ``scaled`` is a hold: rounded down, and drawn on the scale from 0 to 1, where it
    ends.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    scaled: bool = False
    digits: int = 2
    share: bool = False
    down: bool = False
    ratio: bool = False
    exact: bool = False

    @property
    def text(self) -> str:
        """The number as a reader sees it."""
        if self.share:
            return percent(self.value)
        return "–" if self.value is None else self._written(self.value)

    @property
    def interval(self) -> str:
        """The interval in brackets; empty where there is none."""
        if self.low is None or self.high is None:
            return ""
        if self.share:
            return f"[{number(100 * self.low, 1)}, {number(100 * self.high, 1)}]"
        return f"[{self._written(self.low)}, {self._written(self.high)}]"

    def _written(self, value: float) -> str:
        if self.ratio:
            return times(value)
        if self.exact:
            return significant(value)
        if not (self.scaled or self.down) or not math.isfinite(value):
            return number(value, self.digits)
        return places(min(max(value, 0.0), 1.0) if self.scaled else value).replace("-", "−")

    def at(self, end: float | None) -> str:
        """Where a number stands on the scale, as a CSS percentage; what lies outside is drawn at its end.

        >>> Span(0.5).at(0.123456), Span(0.5).at(-1.0)
        ('12.3%', '0.0%')
        """
        return f"{100 * min(1.0, max(0.0, 0.0 if end is None else end)):.1f}%"

    @property
    def left(self) -> str:
        """Where the interval begins on the scale."""
        return self.at(self.low)

    @property
    def width(self) -> str:
        """How long the interval is on the scale."""
        low, high = (min(1.0, max(0.0, end or 0.0)) for end in (self.low, self.high))
        return f"{100 * max(0.0, high - low):.1f}%"

    @property
    def dot(self) -> str:
        """Where the number stands on the scale."""
        return self.at(self.value)


Entry = str | Span | Badge


@dataclass(frozen=True)
class Table:
    """A table: a heading for each column, and rows of text, numbers with intervals, or verdicts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    title: str = ""
    caption: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise BadSetting(
                    f"table '{self.title}': expected {len(self.columns)} cells in a row, but got {len(row)}"
                )


@dataclass(frozen=True)
class Section:
    """A part of a page; ``folded`` tables and ``hidden`` figures are collapsed."""

    title: str
    text: str = ""
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    folded: Sequence[Table] = ()
    notes: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    hidden: Sequence[Figure] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        tables = any(t.rows for t in (*self.tables, *self.folded))
        return not (any(map(len, (*self.figures, *self.hidden))) or tables or self.notes or self.grids)


@dataclass(frozen=True)
class Page:
    """A page: sentences that say what came out and how it is judged, then the sections."""

    intro: Sequence[str]
    sections: Sequence[Section]
