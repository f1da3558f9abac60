"""Paths and points in a plane: optimisers on a loss surface, seeds through training, vectors, and two numbers
of several things."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from holdfast.report.charts import encode
from holdfast.report.charts.base import Figure
from holdfast.report.charts.palette import INK, MUTED, SERIES
from holdfast.report.charts.surface import bands

NARROW, HIGHEST, LINE = 170, 260, 15  # of a panel beside which names stand, and the height of a name


def surface(figure: Figure) -> Any:
    plain = alt.Scale(zero=False, nice=False)
    x = alt.X("x:Q", title=encode.title(figure.x), scale=plain)
    y = alt.Y("y:Q", title=encode.title(figure.y), scale=plain, axis=alt.Axis(grid=False))
    shade = alt.Chart(encode.data(bands(figure))).mark_line(
        filled=True, fill=MUTED, fillOpacity=0.07, strokeWidth=0, clip=True
    )
    paths = alt.Chart(encode.data([r for r in figure.records() if r["part"] == "path"]))
    order = alt.Order("step:Q")
    last = paths.transform_joinaggregate(last="max(step)", groupby=["series"]).transform_filter(
        "datum.step == datum.last"
    )
    colour = {"color": encode.series(figure)["color"]}
    return alt.layer(
        shade.encode(x=x, y=y, detail="level:N", order=order),
        paths.mark_line(strokeWidth=1.6, clip=True).encode(x=x, y=y, order=order, **colour),
        paths.mark_point(filled=True, size=14, opacity=0.9, clip=True).encode(x=x, y=y, **colour),
        last.mark_point(filled=True, size=110, opacity=1, clip=True).encode(
            x=x, y=y, **encode.series(figure)
        ),
    ).properties(width=encode.WIDE, height=240)


def paths(figure: Figure) -> Any:
    plain = alt.Scale(zero=False, nice=True)
    base = alt.Chart(encode.data(figure.records())).encode(
        x=alt.X("x:Q", title=encode.title(figure.x), scale=plain),
        y=alt.Y("y:Q", title=encode.title(figure.y), scale=plain),
    )
    time = alt.FillOpacity("step:Q", scale=alt.Scale(range=[0.12, 1]), legend=None)
    last = base.transform_joinaggregate(last="max(step)").transform_filter("datum.step == datum.last")
    return alt.layer(
        base.mark_line(strokeWidth=1, color=MUTED, opacity=0.45).encode(detail="series:N", order="step:Q"),
        base.mark_point(filled=True, size=34, fill=SERIES[0], strokeWidth=0).encode(fillOpacity=time),
        last.mark_text(dx=7, fontSize=13, align="left", color=INK).encode(text="series:N"),
    ).properties(width=encode.WIDE, height=240)


def points(figure: Figure) -> Any:
    plain = alt.Scale(domain=[-1, 1], nice=False)
    bare = alt.Axis(labels=False, ticks=False, grid=False)
    base = alt.Chart(encode.data(figure.records())).encode(
        x=alt.X("x:Q", title=encode.title(figure.x), scale=plain, axis=bare),
        y=alt.Y("y:Q", title=encode.title(figure.y), scale=plain, axis=bare),
    )
    rest = base.transform_filter("datum.series == ''").mark_point(
        filled=True, size=6, opacity=0.3, color=MUTED
    )
    named = base.transform_filter("datum.series != ''").mark_point(filled=True, size=16, opacity=0.8)
    return alt.layer(rest, named.encode(**encode.series(figure))).properties(width=encode.WIDE, height=240)


def crosses(figure: Figure) -> Any:
    """A point for each thing, with the interval of both of its numbers; its name stands beside the panel, at
    the end of a line, so that names never lie on each other."""
    records = figure.records()
    high = max(HIGHEST, LINE * len(records))
    ends = [record[end] for record in records for end in ("value", "low", "high") if record[end] is not None]
    least, most = min(ends, default=0.0), max(ends, default=1.0)
    span = (most - least) or 1.0
    named = spread([record["value"] for record in records], LINE / high * span, least, least + span)
    base = alt.Chart(encode.data([record | {"named": at} for record, at in zip(records, named, strict=True)]))
    scale = alt.Scale(domain=[least, least + span], nice=False)
    x = alt.X("x:Q", title=encode.title(figure.x), scale=alt.Scale(zero=False, nice=True, padding=8))
    y = alt.Y("value:Q", title=encode.title(figure.y), scale=scale, axis=encode.upright(True))
    bar: dict[str, Any] = {"color": MUTED, "strokeWidth": 1.2, "opacity": 0.6}
    thin: dict[str, Any] = {"color": MUTED, "strokeWidth": 0.6, "opacity": 0.6}
    known = "isValid(datum.x_low) && isValid(datum.x_high)"
    edge, beside = alt.value(NARROW), alt.value(NARROW + LINE)
    return alt.layer(
        base.mark_rule(**thin, strokeDash=[1, 3]).encode(x=x, x2=edge, y=y),
        base.mark_rule(**thin).encode(x=edge, x2=beside, y=y, y2="named:Q"),
        base.transform_filter(encode.KNOWN).mark_rule(**bar).encode(x=x, y=alt.Y("low:Q"), y2="high:Q"),
        base.transform_filter(known).mark_rule(**bar).encode(x=alt.X("x_low:Q"), x2="x_high:Q", y=y),
        base.mark_point(filled=True, size=42, opacity=1, color=SERIES[0]).encode(x=x, y=y),
        base.mark_text(align="left", dx=3, color=INK).encode(x=beside, y="named:Q", text="label:N"),
    ).properties(width=NARROW, height=high)


def spread(values: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Places in the order of the values, as near to them as can be while they are a gap apart and inside.

    >>> spread([0.5, 0.5, 0.0], 0.25, 0.0, 1.0)
    [0.5, 0.75, 0.0]
    >>> spread([1.0, 1.0], 0.25, 0.0, 1.0)
    [0.75, 1.0]
    """
    order = sorted(range(len(values)), key=lambda i: values[i])
    places = [0.0] * len(values)
    free = least
    for i in order:
        places[i] = max(values[i], free)
        free = places[i] + gap
    free = most
    for i in reversed(order):
        places[i] = min(places[i], free)
        free = places[i] - gap
    return places
