"""Small multiples: lines, dots and bars, a panel per facet."""

from typing import Any

import altair as alt

from holdfast.report.charts import encode
from holdfast.report.charts.base import Figure
from holdfast.report.charts.palette import INK


def facets(figure: Figure) -> Any:
    """Small multiples, two to a row so that they fit on a phone; one panel where there is one facet."""
    names = [str(name) for name in figure.unique("facet")]
    layers, height = {"lines": (lines, True), "dots": (dots, False), "bars": (bars, False)}[figure.kind]
    records = [r | {"band": figure.banded in ("", r["series"])} for r in figure.records()]
    panel = alt.layer(*layers(figure), data=encode.data(records))
    if len(names) < 2:
        size = {"width": encode.WIDE, "height": encode.HIGH} if height else {"width": 190}
        return panel.properties(**size)
    size = {"width": encode.PANEL, "height": encode.PANEL_HIGH} if height else {"width": 105}
    facet = alt.Facet("facet:N", sort=names, title=None)
    return panel.properties(**size).facet(facet=facet, columns=2, spacing={"row": 14, "column": 14})


def lines(figure: Figure) -> list[Any]:
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=encode.title(figure.x), scale=alt.Scale(zero=False, nice=False, padding=6))
    )
    axis = encode.upright(len(figure.unique("facet")) < 2)
    y = alt.Y("value:Q", title=encode.title(figure.y), scale=encode.scale(figure), axis=axis)
    low = alt.Y("low:Q", title=encode.title(figure.y), scale=encode.scale(figure), axis=axis)
    colour = {"color": encode.series(figure)["color"]}
    band = base.mark_area(opacity=0.16, clip=True).transform_filter(f"datum.band && {encode.KNOWN}")
    return [
        *encode.marks(figure, "y"),
        *encode.diagonal(figure, y),
        band.encode(y=low, y2="high:Q", **colour),
        base.mark_line(strokeWidth=1.6, clip=True).encode(y=y, **colour),
        base.mark_point(filled=True, size=30, opacity=1).encode(y=y, **encode.series(figure)),
    ]


def dots(figure: Figure) -> list[Any]:
    ticks = 2 if len(figure.unique("facet")) > 1 else 4
    many = len(figure.unique("series")) > 1
    labels = [str(name) for name in figure.unique("label")]
    encoding: dict[str, Any] = {
        "y": alt.Y("label:N", sort=labels, title=None, axis=alt.Axis(grid=True, labelColor=INK)),
    }
    if many:
        encoding["yOffset"] = alt.YOffset("series:N", sort=[str(name) for name in figure.unique("series")])
    base = alt.Chart(height=alt.Step(12 if many else 22)).encode(**encoding)
    x = alt.X(
        "value:Q", title=encode.title(figure.x), scale=encode.scale(figure), axis=alt.Axis(tickCount=ticks)
    )
    span = base.mark_rule(strokeWidth=2, opacity=0.55, clip=True).transform_filter(encode.KNOWN)
    low = alt.X("low:Q", title=encode.title(figure.x), scale=encode.scale(figure))
    return [
        *encode.marks(figure, "x"),
        span.encode(x=low, x2="high:Q", color=encode.series(figure)["color"]),
        base.mark_point(filled=True, size=42, opacity=1).encode(x=x, **encode.series(figure)),
    ]


def bars(figure: Figure) -> list[Any]:
    many = len(figure.unique("series")) > 1
    labels = [str(name) for name in figure.unique("label")]
    encoding: dict[str, Any] = {"y": alt.Y("label:N", sort=labels, title=None, axis=alt.Axis(labelColor=INK))}
    if many:
        encoding["yOffset"] = alt.YOffset("series:N", sort=[str(name) for name in figure.unique("series")])
    base = alt.Chart(height=alt.Step(8 if many else 14)).encode(**encoding)
    x = alt.X("value:Q", title=encode.title(figure.x), axis=alt.Axis(grid=True, tickCount=4))
    span = base.mark_rule(strokeWidth=1, color=INK).transform_filter(encode.KNOWN)
    return [
        base.mark_bar(cornerRadiusEnd=1.5).encode(x=x, color=encode.series(figure)["color"]),
        span.encode(x=alt.X("low:Q", title=encode.title(figure.x)), x2="high:Q"),
    ]
