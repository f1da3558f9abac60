"""What every drawing shares: sizes, scales, series by colour and shape, reference lines.

This module and its neighbours that draw import altair, so ``draw`` imports them only when a figure is drawn.
Column names are fixed, so nothing from the data is ever a field or an expression.
"""

from typing import Any

import altair as alt

from holdfast.report.charts.base import Figure
from holdfast.report.charts.palette import MUTED, SERIES, SHAPES

WIDE, HIGH = 258, 190
PANEL, PANEL_HIGH = 126, 110
GREY = ("surface", "points")  # where what has no series is drawn in grey
KNOWN = "isValid(datum.low) && isValid(datum.high)"


def data(records: list[dict[str, Any]]) -> Any:
    return alt.InlineData(values=records)


def title(text: str) -> Any:
    return text or None


def upright(single: bool) -> Any:
    """The value axis of a single panel has its name above it, as long as it likes; panels side by side share
    one that is turned."""
    if not single:
        return alt.Axis()
    return alt.Axis(titleAngle=0, titleAlign="left", titleAnchor="end", titleX=-30, titleY=-12)


def series(figure: Figure, shapes: bool = True) -> dict[str, Any]:
    """Colour and shape together, so that series differ in more than colour."""
    names = [str(name) for name in figure.unique("series") if name != "" or figure.kind not in GREY]
    legend = alt.Legend(title=title(figure.series), offset=_above(figure)) if len(names) > 1 else None
    colours = [SERIES[i % len(SERIES)] for i in range(len(names))]
    encoding: dict[str, Any] = {
        "color": alt.Color("series:N", scale=alt.Scale(domain=names, range=colours), legend=legend)
    }
    if shapes:
        marks = [SHAPES[i % len(SHAPES)] for i in range(len(names))]
        encoding["shape"] = alt.Shape("series:N", scale=alt.Scale(domain=names, range=marks), legend=legend)
    return encoding


def _above(figure: Figure) -> int:
    """How far above the panel a legend stands: there is room for the name of an upright axis."""
    named = figure.kind == "reliability" or (figure.kind == "lines" and len(figure.unique("facet")) < 2)
    return 30 if named else 12


def scale(figure: Figure) -> Any:
    return (
        alt.Scale(domain=list(figure.limits), clamp=True)
        if figure.limits
        else alt.Scale(zero=False, nice=True)
    )


def diagonal(figure: Figure, y: Any) -> list[Any]:
    """A line where x and value agree, as far as there are points."""
    if not figure.diagonal:
        return []
    places = [float(x) for x in figure.data["x"] if x is not None]
    ends = data([{"x": end, "value": end} for end in (min(places, default=0.0), max(places, default=1.0))])
    line = alt.Chart(ends).mark_line(color=MUTED, strokeDash=[3, 3], strokeWidth=1)
    return [line.encode(x=alt.X("x:Q"), y=y)]


def marks(figure: Figure, channel: str) -> list[Any]:
    """Reference lines across the value axis."""
    if not figure.marks:
        return []
    rules = alt.Chart(data([{"mark": mark} for mark in figure.marks])).mark_rule(
        color=MUTED, strokeDash=[3, 3], strokeWidth=1, opacity=0.7
    )
    return [rules.encode(**{channel: alt.datum(mark)}) for mark in figure.marks]
