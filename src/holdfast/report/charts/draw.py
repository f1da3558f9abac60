"""Draws a figure's record: a Vega-Lite specification for a live page, an SVG that never varies."""

import re
from pathlib import Path
from typing import Any

from holdfast.core.errors import CannotDraw
from holdfast.core.files import write
from holdfast.report.charts.base import Figure
from holdfast.report.charts.painter import painter
from holdfast.report.charts.palette import INK, MUTED, PAPER, RULE, SERIES
from holdfast.report.charts.svg import clean

# Bundled with vl-convert, so that the layout does not depend on the machine's fonts.
FONT = "Liberation Sans"
LETTERS = 13  # so that they are 12 pixels high at least where a phone shows a drawing a little smaller

AXIS: dict[str, Any] = {
    "labelColor": MUTED,
    "titleColor": INK,
    "gridColor": RULE,
    "domainColor": RULE,
    "tickColor": RULE,
    "labelFont": FONT,
    "titleFont": FONT,
    "labelFontSize": LETTERS,
    "titleFontSize": LETTERS,
    "titleFontWeight": "normal",
    "titlePadding": 6,
    "tickCount": 5,
    "labelLimit": 130,
    "labelSeparation": 6,
}

CONFIG: dict[str, Any] = {
    "aria": False,
    "background": PAPER,
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": AXIS,
    "axisY": {"domain": False, "ticks": False},
    "axisX": {"grid": False},
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "labelColor": INK,
        "titleColor": MUTED,
        "labelFontSize": LETTERS,
        "titleFontSize": LETTERS,
        "titleFontWeight": "normal",
        "titleOrient": "left",
        "labelLimit": 130,
        "columns": 2,
        "symbolSize": 50,
        "symbolOpacity": 1,
        "offset": 12,
        "columnPadding": 26,
    },
    "header": {
        "title": None,
        "labelColor": INK,
        "labelFontSize": LETTERS,
        "labelFontWeight": "bold",
        "labelLimit": 140,
    },
    "title": {"color": INK, "fontSize": LETTERS, "font": FONT, "offset": 4, "limit": 140},
    "range": {"category": list(SERIES)},
}


def spec(figure: Figure) -> dict[str, Any]:
    """The Vega-Lite specification of a figure."""
    drawn: dict[str, Any] = _chart(figure).to_dict(validate=False)
    drawn["config"] = CONFIG
    return drawn


def _chart(figure: Figure) -> Any:
    from holdfast.report.charts import facets, panels, planes

    match figure.kind:
        case "lines" | "dots" | "bars":
            return facets.facets(figure)
        case "strip":
            return panels.strip(figure)
        case "matrix":
            return panels.matrix(figure)
        case "reliability":
            return panels.reliability(figure)
        case "published":
            return panels.published(figure)
        case "surface":
            return planes.surface(figure)
        case "paths":
            return planes.paths(figure)
        case "points":
            return planes.points(figure)
        case "crosses":
            return planes.crosses(figure)


def svg(figure: Figure) -> str:
    """The figure as SVG: plain shapes and escaped text only, the same bytes for the same record."""
    try:
        wanted = spec(figure)
    except (ImportError, OSError, MemoryError) as error:
        raise CannotDraw(f"{type(error).__name__}: {error}") from error
    return clean(painter().svg(wanted), figure.key, figure.title)


def width(drawing: str) -> float:
    """How wide a drawing was laid out, in pixels.

    >>> width('<svg viewBox="0 0 310 200">')
    310.0
    """
    match = re.search(r'viewBox="[-0-9.]+ 0 ([0-9.]+)', drawing)
    return float(match[1]) if match else 0.0


def save_figure(figure: Figure, path_svg: Path) -> str:
    """Write the figure to an SVG file; returns its SHA-256."""
    return write(path_svg, svg(figure).encode())
