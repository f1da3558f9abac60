"""Single panels: seeds on a strip, a matrix, a reliability diagram, published beside measured."""

import math
from typing import Any

import altair as alt

from holdfast.report.charts import encode
from holdfast.report.charts.base import Figure
from holdfast.report.charts.palette import INK, MUTED, RULE, SERIES


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
    rows = list(map(str, figure.unique("row")))
    columns = list(map(str, figure.unique("column")))
    x: dict[str, Any] = {"title": None, "scale": alt.Scale(zero=False, nice=True)}
    base = alt.Chart(height=alt.Step(22)).encode(
        y=alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(grid=True, labelColor=INK))
    )
    thin = alt.Axis(tickCount=3)
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
    panel = alt.layer(
        gap.encode(x=alt.X("published:Q", axis=thin, **x), x2="measured:Q"),
        span.encode(x=alt.X("low:Q", axis=thin, **x), x2="high:Q"),
        measured.encode(x=alt.X("measured:Q", axis=thin, **x)),
        said.encode(x=alt.X("published:Q", axis=thin, **x)),
        data=encode.data(figure.records()),
    ).properties(width=105 if len(columns) > 1 else 190)
    if len(columns) < 2:
        return panel
    facet = alt.Facet("column:N", sort=columns, title=None)
    return panel.facet(facet=facet, columns=2, spacing={"row": 14, "column": 14}).resolve_scale(
        x="independent"
    )
