"""Grids of heat maps: an example, its image on top, a row for each method, a column for each cell or seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.report.figures.rows import words
from holdfast.report.images import describe_picture, full_of, picture_link
from holdfast.study.picture import CONSENSUS, INPUT, Picture
from holdfast.study.relevance_names import METHODS, cell_of, data_of, place_of, steps_of

BUDGET = 420_000  # bytes of images in one page, so that the figures fit beside them


@dataclass(frozen=True)
class Image:
    """One heat map on a page; ``wide`` is its width over its height."""

    link: str
    alt: str
    wide: float


@dataclass(frozen=True)
class Grid:
    """The heat maps of one example; ``cells[i][j]`` is method i under cell j, None where there is none.

    ``seeds`` says that the columns are a consensus and seeds, the image over the first.
    """

    title: str
    image: Image | None
    columns: tuple[str, ...]
    methods: tuple[str, ...]
    cells: tuple[tuple[Image | None, ...], ...]
    seeds: bool = False

    @property
    def wide(self) -> bool:
        """Whether the images are much wider than high."""
        return any(image is not None and image.wide > 1.5 for row in self.cells for image in row)

    @property
    def size(self) -> int:
        """Bytes of the images."""
        own = [image for row in self.cells for image in row if image is not None]
        return sum(len(image.link) for image in (*own, *([self.image] if self.image else ())))

    def first(self, count: int) -> "Grid":
        """Only the first columns."""
        return replace(self, columns=self.columns[:count], cells=tuple(row[:count] for row in self.cells))


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


def seed_grids(pictures: Sequence[Picture], first: str, budget: int = BUDGET) -> list[Grid]:
    """One grid for each image of an audit: a column for the consensus and for each seed, ``first`` on top.

    What does not fit is left out: seeds from the last on, then images.
    """
    views = _views(pictures)
    several = len({(p.model, p.repair) for p in pictures if p.explainer != INPUT}) > 1
    seeds = list(dict.fromkeys(p.seed for p in pictures if p.explainer != INPUT))
    made = [seed_grid(view, seeds, first, several) for view in views]
    last = len(seeds)
    while made and sum(grid.size for grid in made) > budget:
        if last > 1:
            last -= 1
            made = [grid.first(last) for grid in made]
        else:
            made.pop()
    return made


def seed_grid(view: Sequence[Picture], seeds: Sequence[int], first: str, several: bool = False) -> Grid:
    """The pictures of one image under one model: a column for each of ``seeds``, all maps on one scale."""
    heats = {(p.explainer, p.seed): p for p in view if p.explainer != INPUT}
    shown = next((p for p in view if p.explainer == INPUT), None)
    methods = sorted(dict.fromkeys(name for name, _ in heats), key=lambda name: name != first)
    names = ["consensus" if seed == CONSENSUS else f"seed {seed}" for seed in seeds]
    one, full = view[-1], full_of(list(heats.values()))
    setting = f"{one.model} on {one.data} ({one.repair}), " if several else ""
    labelled = "" if one.label in ("", one.target) else f" (labelled {one.label})"
    return Grid(
        f"{setting}explained: {one.target}{labelled}",
        _image(shown, f"the image, class {one.label}" if one.label else "the image"),
        tuple(names),
        tuple(map(words, methods)),
        tuple(_row([heats.get((method, seed)) for seed in seeds], method, names, full) for method in methods),
        seeds=True,
    )


def _views(pictures: Sequence[Picture]) -> list[list[Picture]]:
    """The pictures of one image under one model, together; they come in that order."""
    views: list[list[Picture]] = []
    for picture in pictures:
        if not views or not _continues(views[-1], picture):
            views.append([])
        views[-1].append(picture)
    return views


def _continues(view: Sequence[Picture], picture: Picture) -> bool:
    last = view[-1]
    same = (last.data, last.row) == (picture.data, picture.row) and last.model in ("", picture.model)
    return same and all((p.explainer, p.seed) != (picture.explainer, picture.seed) for p in view)


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
    found = {method: [place.get((method, steps, cell)) for steps, (_, cell) in keys] for method in methods}
    return Grid(
        f"{data_of(first.data)}: {first.label}{_explained(first)}",
        _image(shown, f"the image, class {first.label}"),
        tuple(names),
        tuple(words(method) for method in methods),
        tuple(_row(found[method], method, names, full, positive) for method in methods),
    )


def _explained(picture: Picture) -> str:
    return "" if picture.label == picture.target else f" (explained: {picture.target})"


def _row(
    maps: Sequence[Picture | None], method: str, names: Sequence[str], full: float, positive: bool = False
) -> tuple[Image | None, ...]:
    """Heat maps of one method; ``full`` is the value in full colour, the same in all maps of an example."""
    pairs = zip(maps, names, strict=True)
    return tuple(_image(p, f"{words(method)}, {name}", positive, full) for p, name in pairs)


def _image(
    picture: Picture | None, name: str, positive: bool = False, full: float | None = None
) -> Image | None:
    if picture is None:
        return None
    wide = picture.width / picture.height
    return Image(picture_link(picture, positive, full), describe_picture(picture, name), wide)


def _method(name: str) -> tuple[int, str]:
    return (METHODS.index(name) if name in METHODS else len(METHODS), name)
