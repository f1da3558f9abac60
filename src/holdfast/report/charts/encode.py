"""What every drawing shares: sizes, scales, series by colour and shape, reference lines.

This module and its neighbours that draw import altair, so ``draw`` imports them only when a figure is drawn.
Column names are fixed, so nothing from the data is ever a field or an expression.
"""

from typing import Any

import altair as alt

from holdfast.report.charts.base import Figure
from holdfast.report.charts.palette import MUTED, SERIES, SHAPES

WIDE, HIGH = 270, 190
PANEL, PANEL_HIGH = 128, 104
KNOWN = "isValid(datum.low) && isValid(datum.high)"


def data(records: list[dict[str, Any]]) -> Any:
    return alt.InlineData(values=records)


def title(text: str) -> Any:
    return text or None


def series(figure: Figure, shapes: bool = True) -> dict[str, Any]:
    """Colour and shape together, so that series differ in more than colour."""
    names = [str(name) for name in figure.unique("series") if name != "" or figure.kind != "surface"]
    legend = alt.Legend(title=title(figure.series)) if len(names) > 1 else None
    colours = [SERIES[i % len(SERIES)] for i in range(len(names))]
    encoding: dict[str, Any] = {
        "color": alt.Color("series:N", scale=alt.Scale(domain=names, range=colours), legend=legend)
    }
    if shapes:
        marks = [SHAPES[i % len(SHAPES)] for i in range(len(names))]
        encoding["shape"] = alt.Shape("series:N", scale=alt.Scale(domain=names, range=marks), legend=legend)
    return encoding


def scale(figure: Figure) -> Any:
    return (
        alt.Scale(domain=list(figure.limits), clamp=True)
        if figure.limits
        else alt.Scale(zero=False, nice=True)
    )


def marks(figure: Figure, channel: str) -> list[Any]:
    """Reference lines across the value axis."""
    if not figure.marks:
        return []
    rules = alt.Chart(data([{"mark": mark} for mark in figure.marks])).mark_rule(
        color=MUTED, strokeDash=[3, 3], strokeWidth=1, opacity=0.7
    )
    return [rules.encode(**{channel: alt.datum(mark)}) for mark in figure.marks]
