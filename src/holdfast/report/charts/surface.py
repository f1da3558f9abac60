"""A loss surface on a plane, with the paths of optimisers on it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.core.errors import BadSetting
from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.contour import one_path, rings

LEVELS = 14


def surface(
    key: str,
    title: str,
    caption: str,
    xs: Sequence[float],
    ys: Sequence[float],
    values: Sequence[Sequence[float]],
    paths: Mapping[str, Sequence[tuple[float, float]]],
    axes: tuple[str, str] = ("first direction", "second direction"),
) -> Figure:
    """Contours of ``values[j][i]`` at (xs[i], ys[j]) under each optimiser's path (Jain Figures 4.9, 4.10).

    >>> figure = surface("s", "", "", [0, 1], [0, 1], [[0, 1], [1, 2]], {"none": [(0, 0), (1, 1)]})
    >>> figure.data["part"]
    ('grid', 'grid', 'grid', 'grid', 'path', 'path')
    """
    if len(values) != len(ys) or any(len(row) != len(xs) for row in values):
        raise BadSetting(
            f"surface '{key}': expected {len(ys)} rows of {len(xs)} values, but got another shape"
        )
    rows: list[tuple[Value, ...]] = [
        ("grid", "", None, float(x), float(y), float(values[j][i]))
        for j, y in enumerate(ys)
        for i, x in enumerate(xs)
    ]
    for name, points in paths.items():
        rows += [("path", name, step, float(x), float(y), None) for step, (x, y) in enumerate(points)]
    return Figure(key, title, caption, "surface", table("surface", rows), x=axes[0], y=axes[1], series="")


def bands(figure: Figure) -> list[dict[str, Any]]:
    """The regions at or above each level, as closed paths to be filled one over the other.

    Levels are ``low + (high − low)(k/K)²``: closest together around the minimum, where paths end.
    """
    cells = {(r["x"], r["y"]): r["value"] for r in figure.records() if r["part"] == "grid"}
    xs, ys = sorted({x for x, _ in cells}), sorted({y for _, y in cells})
    finite = [value for value in cells.values() if value is not None]
    if not finite or len(xs) < 2 or len(ys) < 2:
        return []
    low, high = min(finite), max(finite)
    grid = [[high if (v := cells[x, y]) is None else v for x in xs] for y in ys]
    points = []
    for k in range(LEVELS):
        level = low + (high - low) * (k / LEVELS) ** 2
        path = one_path(rings(xs, ys, grid, level))
        points += [{"level": k, "step": i, "x": x, "y": y} for i, (x, y) in enumerate(path)]
    return [point for point in points if math.isfinite(point["x"] + point["y"])]
