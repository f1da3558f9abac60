"""Single panels: seeds on a strip, a matrix, a reliability diagram, published beside measured."""

import math
from typing import Any

import altair as alt

from holdfast.report.charts import encode
from holdfast.report.charts.base import Figure
from holdfast.report.charts.palette import INK, MUTED, RULE, SERIES

ORDERS = 1_000


def strip(figure: Figure) -> Any:
    labels = [str(name) for name in figure.unique("label")]
    base = alt.Chart(encode.data(figure.records()), height=alt.Step(30)).encode(
        y=alt.Y("label:N", sort=labels, title=None, axis=alt.Axis(grid=True, labelColor=INK))
    )
    x = alt.X(
        "value:Q",
        title=encode.title(figure.x),
        scale=encode.scale(figure),
        axis=alt.Axis(format=".1~%", tickCount=4),
    )
    low = alt.X("low:Q", title=encode.title(figure.x), scale=encode.scale(figure))
    mean, member = "datum.part == 'mean'", "datum.part == 'member'"
    span = base.mark_rule(strokeWidth=7, opacity=0.22, color=SERIES[0]).transform_filter(mean)
    tick = base.mark_tick(thickness=2, height=18, color=SERIES[0]).transform_filter(mean)
    dots = base.mark_point(filled=True, size=26, opacity=0.75, color=INK).transform_filter(member)
    layers = [
        span.transform_filter(encode.KNOWN).encode(x=low, x2="high:Q"),
        tick.encode(x=x),
        dots.encode(x=x),
    ]
    return alt.layer(*layers).properties(width=200)


def matrix(figure: Figure) -> Any:
    rows, columns = (list(map(str, figure.unique(name))) for name in ("row", "column"))
    step = max(34, min(44, 210 // max(1, len(columns))))
    base = alt.Chart(encode.data(figure.records()), width=alt.Step(step), height=alt.Step(28)).encode(
        x=alt.X(
            "column:N",
            sort=columns,
            title=None,
            axis=alt.Axis(labelAngle=-35, labelColor=INK, orient="bottom"),
        ),
        y=alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(labelColor=INK)),
    )
    low, high = figure.limits or (0.0, 1.0)
    strength = alt.FillOpacity(
        "value:Q", scale=alt.Scale(domain=[low, high], range=[0.04, 0.6], clamp=True), legend=None
    )
    known = "isValid(datum.value)"
    cells = (
        base.mark_rect(fill=SERIES[0], cornerRadius=2).transform_filter(known).encode(fillOpacity=strength)
    )
    text = base.mark_text(fontSize=13, color=INK).transform_filter(known)
    return alt.layer(cells, text.encode(text=alt.Text("value:Q", format=".2f")))


def reliability(figure: Figure) -> Any:
    axis, above = alt.Axis(grid=True, tickCount=5), encode.upright(single=True)
    known = [float(v) for name in ("x", "value", "low") for v in figure.data[name] if v is not None]
    least = max(0.0, math.floor(10 * min(known, default=0.0)) / 10)
    unit = alt.Scale(domain=[least, 1], nice=False)
    x = alt.X("x:Q", title=encode.title(figure.x), scale=unit, axis=axis)
    y = alt.Y("value:Q", title=encode.title(figure.y), scale=unit, axis=above)
    diagonal = alt.Chart(encode.data([{"x": end, "value": end} for end in (least, 1.0)])).mark_line(
        color=MUTED, strokeDash=[3, 3], strokeWidth=1
    )
    base = alt.Chart(encode.data(figure.records()))
    span = base.mark_rule(strokeWidth=1.5, opacity=0.5).transform_filter(encode.KNOWN)
    low = alt.Y("low:Q", title=encode.title(figure.y), scale=unit, axis=above)
    size = alt.Size("n:Q", scale=alt.Scale(range=[20, 130], zero=True), legend=None)
    colour = {"color": encode.series(figure)["color"]}
    return alt.layer(
        diagonal.encode(x=x, y=y),
        span.encode(x=x, y=low, y2="high:Q", **colour),
        base.mark_line(strokeWidth=1.6, clip=True).encode(x=x, y=y, **colour),
        base.mark_point(filled=True, opacity=1).encode(x=x, y=y, size=size, **encode.series(figure)),
    ).properties(width=encode.WIDE, height=220)


def published(figure: Figure) -> Any:
    """A panel for each column, with a scale of its own; rows are named at the left."""
    names, columns = (list(map(str, figure.unique(name))) for name in ("row", "column"))
    if len(columns) < 2:
        return _beside(figure.records(), names, True).properties(width=190)
    panels = [
        _beside([r for r in figure.records() if r["column"] == column], names, place % 2 == 0).properties(
            width=105, title=column
        )
        for place, column in enumerate(columns)
    ]
    return alt.concat(*panels, columns=2, spacing={"row": 14, "column": 14})


def _beside(records: list[dict[str, Any]], names: list[str], named: bool) -> Any:
    """A line for each row; logarithmic where numbers are of different orders of magnitude."""
    scale, least = alt.Scale(zero=False, nice=True), _least_of_orders(records)
    if least is not None:
        scale = alt.Scale(type="log", nice=True)
        records = [r | {"low": None if r["low"] is None else max(r["low"], least)} for r in records]
    x: dict[str, Any] = {"title": None, "scale": scale}
    base = alt.Chart(height=alt.Step(22)).encode(
        y=alt.Y(
            "row:N",
            scale=alt.Scale(domain=names),
            title=None,
            axis=alt.Axis(grid=True, labelColor=INK, labels=named, labelLimit=200),
        )
    )
    thin = alt.Axis(tickCount=3) if least is None else alt.Axis(tickCount=3, format=".0e")
    gap = base.mark_rule(color=RULE, strokeWidth=2).transform_filter(
        "isValid(datum.published) && isValid(datum.measured)"
    )
    span = base.mark_rule(color=SERIES[0], strokeWidth=3, opacity=0.4).transform_filter(encode.KNOWN)
    measured = base.mark_point(filled=True, size=46, color=SERIES[0], opacity=1).transform_filter(
        "isValid(datum.measured)"
    )
    said = base.mark_point(
        shape="diamond", size=52, color=SERIES[1], strokeWidth=1.8, opacity=1
    ).transform_filter("isValid(datum.published)")
    return alt.layer(
        gap.encode(x=alt.X("published:Q", axis=thin, **x), x2="measured:Q"),
        span.encode(x=alt.X("low:Q", axis=thin, **x), x2="high:Q"),
        measured.encode(x=alt.X("measured:Q", axis=thin, **x)),
        said.encode(x=alt.X("published:Q", axis=thin, **x)),
        data=encode.data(records),
    )


def _least_of_orders(records: list[dict[str, Any]]) -> float | None:
    """The least of numbers that are all above 0 and differ a thousand times; None of others."""
    known = [r[name] for r in records for name in ("published", "measured") if r[name] is not None]
    least, most = min(known, default=0.0), max(known, default=0.0)
    return float(least) if 0 < least * ORDERS < most else None
