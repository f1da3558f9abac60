"""Contours of a surface on a grid, by marching squares."""

from collections.abc import Sequence

Point = tuple[float, float]
Grid = Sequence[Sequence[float]]

# Which edges of a cell (0 bottom, 1 right, 2 top, 3 left) a contour enters and leaves by, with the high side
# on its left; the index has one bit per corner that is high, counter-clockwise from the lower left.
CASES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 3),),
    ((1, 0),),
    ((1, 3),),
    ((2, 1),),
    ((0, 3), (2, 1)),
    ((2, 0),),
    ((2, 3),),
    ((3, 2),),
    ((0, 2),),
    ((1, 0), (3, 2)),
    ((1, 2),),
    ((3, 1),),
    ((0, 1),),
    ((3, 0),),
    (),
)


def rings(xs: Sequence[float], ys: Sequence[float], values: Grid, level: float) -> list[list[Point]]:
    """The closed borders of ``{value ≥ level}``, with the high side on the left.

    ``values[j][i]`` is at (xs[i], ys[j]). The grid gets a frame of no width and no height, so that a contour
    that leaves it runs along its edge.

    >>> [ring] = rings([0, 1, 2], [0, 1, 2], [[0, 0, 0], [0, 1, 0], [0, 0, 0]], 0.5)
    >>> sorted(set(ring))
    [(0.5, 1.0), (1.0, 0.5), (1.0, 1.5), (1.5, 1.0)]
    """
    xs, ys = [xs[0], *xs, xs[-1]], [ys[0], *ys, ys[-1]]
    out = [level - 1.0] * len(xs)
    grid = [out, *([level - 1.0, *row, level - 1.0] for row in values), out]
    following: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for j in range(len(ys) - 1):
        for i in range(len(xs) - 1):
            corners = (grid[j][i], grid[j][i + 1], grid[j + 1][i + 1], grid[j + 1][i])
            case = sum(1 << k for k, value in enumerate(corners) if value >= level)
            for start, end in CASES[case]:
                following[_edge(i, j, start)] = _edge(i, j, end)
    return [[_cross(xs, ys, grid, edge, level) for edge in loop] for loop in _loops(following)]


def one_path(loops: list[list[Point]]) -> list[Point]:
    """All rings as one path: each is reached from the first point and left again by the same way.

    The ways have no area, and holes run the other way round, so filling this path fills the region.

    >>> one_path([[(0, 0), (1, 0), (0, 1)], [(5, 5), (6, 5), (5, 6)]])[3:5]
    [(0, 0), (5, 5)]
    """
    path: list[Point] = []
    for ring in loops:
        path += [*ring, ring[0]]
        if path[0] != ring[0]:
            path.append(path[0])
    return path


def _edge(i: int, j: int, side: int) -> tuple[int, int, int]:
    """Edges are shared by cells: (0, i, j) runs right from the corner (i, j), (1, i, j) runs up from it."""
    return ((0, i, j), (1, i + 1, j), (0, i, j + 1), (1, i, j))[side]


def _cross(
    xs: Sequence[float], ys: Sequence[float], grid: Grid, edge: tuple[int, int, int], level: float
) -> Point:
    up, i, j = edge
    k, m = (i, j + 1) if up else (i + 1, j)
    a, b = grid[j][i], grid[m][k]
    t = (level - a) / (b - a)
    return xs[i] + t * (xs[k] - xs[i]), ys[j] + t * (ys[m] - ys[j])


def _loops(following: dict[tuple[int, int, int], tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    loops = []
    while following:
        start = next(iter(following))
        loop, here = [start], following.pop(start)
        while here != start:
            loop.append(here)
            here = following.pop(here)
        loops.append(loop)
    return loops
