"""Grids of heat maps: an example, a row for each method, a column for each cell."""

from collections.abc import Sequence

from holdfast.report.charts.select import words
from holdfast.report.grids import BUDGET, Grid, grid_image, grid_row
from holdfast.report.images import full_of
from holdfast.studies.relevance.names import METHODS, cell_of, data_of, place_of, steps_of
from holdfast.study.picture import INPUT, Picture


def grids(pictures: Sequence[Picture], budget: int = BUDGET) -> list[Grid]:
    """One grid for each example, as many as fit: the first of every data set before the second of any."""
    examples = list(dict.fromkeys((data_of(p.data), p.row) for p in pictures))
    data = list(dict.fromkeys(name for name, _ in examples))
    turns = sorted(examples, key=lambda e: [x for x in examples if x[0] == e[0]].index(e))
    made: dict[tuple[str, int], Grid] = {}
    for example in turns:
        grid = _grid([p for p in pictures if (data_of(p.data), p.row) == example])
        if grid.size <= budget:
            made[example] = grid
            budget -= grid.size
    return [made[e] for e in sorted(made, key=lambda e: (data.index(e[0]), examples.index(e)))]


def positive_grids(pictures: Sequence[Picture], method: str, cells: Sequence[str]) -> list[Grid]:
    """Positive relevance alone, of one method, for a few cells (Chormai Figure 4.19)."""
    wanted = [p for p in pictures if p.explainer == method and cell_of(p.model) in cells]
    known = {(data_of(p.data), p.row) for p in wanted}
    kept = [
        p for p in pictures if p in wanted or (p.explainer == INPUT and (data_of(p.data), p.row) in known)
    ]
    if {cell_of(p.model) for p in wanted} < set(cells):
        return []
    examples = list(dict.fromkeys((data_of(p.data), p.row) for p in kept))
    return [_grid([p for p in kept if (data_of(p.data), p.row) == e], positive=True) for e in examples]


def _grid(pictures: Sequence[Picture], positive: bool = False) -> Grid:
    heats = [p for p in pictures if p.explainer != INPUT]
    shown = next((p for p in pictures if p.explainer == INPUT), None)
    first = pictures[0]
    several = len({steps_of(p.data) for p in heats}) > 1
    keys = sorted({(steps_of(p.data), place_of(cell_of(p.model))) for p in heats})
    methods = sorted({p.explainer for p in heats}, key=_method)
    place = {(p.explainer, steps_of(p.data), cell_of(p.model)): p for p in heats}
    names = [
        f"{cell} T\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{steps}" if several else cell
        for steps, (_, cell) in keys
    ]
    full = full_of(heats, positive)
    cells = {method: [place.get((method, steps, cell)) for steps, (_, cell) in keys] for method in methods}
    return Grid(
        f"{data_of(first.data)}: {first.label}{_explained(first)}",
        grid_image(shown, f"the image, class {first.label}"),
        tuple(names),
        tuple(words(method) for method in methods),
        tuple(grid_row(cells[method], method, names, full, positive) for method in methods),
    )


def _explained(picture: Picture) -> str:
    return "" if picture.label == picture.target else f" (explained: {picture.target})"


def _method(name: str) -> tuple[int, str]:
    return (METHODS.index(name) if name in METHODS else len(METHODS), name)
