"""Curves, bars, paths, and published numbers beside measured ones, from plain records."""

from collections.abc import Iterable, Mapping, Sequence

from holdfast.core.errors import BadSetting
from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.select import short
from holdfast.study.published_number import Published

Curve = tuple[str, str, float, float, float | None, float | None]
Bar = tuple[str, str, float, float | None, float | None]


def curves(
    key: str,
    title: str,
    caption: str,
    points: Iterable[Curve],
    axes: tuple[str, str] = ("predicted probability", ""),
    limits: tuple[float, float] | None = None,
    marks: tuple[float, ...] = (),
    banded: str = "",
    diagonal: bool = False,
) -> Figure:
    """Lines with intervals, a panel per facet and a colour per series (Jain Figures 4.11 to 4.17, 4.21).

    A point is (facet, series, x, value, low, high). ``banded`` is the only series whose interval is drawn.

    >>> curves("d", "Deviation", "", [("additive", "none", 0.5, 0.1, None, None)]).data["series"]
    ('none',)
    """
    data = table("lines", _ordered(points))
    about = {"limits": limits, "marks": marks, "banded": banded, "diagonal": diagonal}
    return Figure(key, title, caption, "lines", data, *axes, **about)  # type: ignore[arg-type]


def word_bars(
    key: str, title: str, caption: str, tokens: Sequence[str], values: Mapping[str, Sequence[float]]
) -> Figure:
    """The deviation of each word's weight over seeds, one bar per series: before, after (Jain 4.19, 4.20).

    >>> word_bars("w", "", "", ["not", "bad"], {"none": [0.2, 0.1]}).data["label"]
    ('1  not', '2  bad')
    """
    for name, column in values.items():
        if len(column) != len(tokens):
            raise BadSetting(f"'{name}': expected {len(tokens)} values, one per token, but got {len(column)}")
    rows: list[tuple[Value, ...]] = [
        ("", f"{i + 1}  {short(token)}", name, float(column[i]), None, None)
        for i, token in enumerate(tokens)
        for name, column in values.items()
    ]
    return Figure(key, title, caption, "bars", table("bars", rows), x="deviation over seeds")


def trajectories(
    key: str,
    title: str,
    caption: str,
    paths: Mapping[str, Sequence[tuple[float, float]]],
    axes: tuple[str, str] = ("first component", "second component"),
) -> Figure:
    """Where each seed's weights go, epoch by epoch, in two dimensions (Jain Figure 2.18).

    >>> trajectories("t", "", "", {"0": [(0, 0), (1, 2)]}).data["step"]
    (0, 1)
    """
    rows: list[tuple[Value, ...]] = [
        (name, step, float(x), float(y)) for name, path in paths.items() for step, (x, y) in enumerate(path)
    ]
    return Figure(key, title, caption, "paths", table("paths", rows), x=axes[0], y=axes[1])


def published(key: str, title: str, caption: str, numbers: Iterable[Published]) -> tuple[Figure, ...]:
    """Published beside measured, row by row: one figure per table, a panel per column."""
    kept = list(numbers)
    return tuple(
        Figure(
            f"{key}-{place}",
            f"{title}: {name}",
            caption,
            "published",
            table(
                "published",
                [
                    (name, one.row, one.column, one.published, one.measured, one.low, one.high, one.n)
                    for one in kept
                    if one.table == name
                ],
            ),
        )
        for place, name in enumerate(dict.fromkeys(one.table for one in kept), start=1)
    )


def _ordered(points: Iterable[Curve]) -> list[tuple[Value, ...]]:
    """Facets and series in the order they first appear, each along its axis."""
    kept = list(points)
    facets, series = (list(dict.fromkeys(point[i] for point in kept)) for i in (0, 1))
    return sorted(kept, key=lambda p: (facets.index(p[0]), series.index(p[1]), p[2]))
