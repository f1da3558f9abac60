"""Grids of heat maps: an image on top, a row for each method, a column for each model or seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.report.charts.select import words
from holdfast.report.images import describe_picture, full_of, picture_link
from holdfast.report.texts import LITTLE, percent
from holdfast.study.picture import CONSENSUS, INPUT, Picture

BUDGET = 420_000  # bytes of images in one page, so that the figures fit beside them


@dataclass(frozen=True)
class Image:
    """One heat map on a page; ``wide`` is its width over its height."""

    link: str
    alt: str
    wide: float


@dataclass(frozen=True)
class Grid:
    """The heat maps of one example; ``cells[i][j]`` is method i in column j, None where there is none.

    ``seeds`` says that the columns are a consensus and seeds, the image over the first; ``shares`` then says
    how much of its weight each method puts on the strongest pixels.
    """

    title: str
    image: Image | None
    columns: tuple[str, ...]
    methods: tuple[str, ...]
    cells: tuple[tuple[Image | None, ...], ...]
    seeds: bool = False
    shares: tuple[str, ...] = ()

    @property
    def wide(self) -> bool:
        """Whether the images are much wider than high."""
        return any(image is not None and image.wide > 1.5 for row in self.cells for image in row)

    @property
    def size(self) -> int:
        """Bytes of the images."""
        images = [image for row in self.cells for image in row if image is not None]
        return sum(len(image.link) for image in (*images, *([self.image] if self.image else ())))

    def first(self, count: int) -> "Grid":
        """Only the first columns."""
        return replace(self, columns=self.columns[:count], cells=tuple(row[:count] for row in self.cells))


def seed_grids(pictures: Sequence[Picture], order: Sequence[str], budget: int = BUDGET) -> list[Grid]:
    """One grid for each image of an audit: a column for the consensus and for each seed, a row for each
    explainer, in this ``order``.

    What does not fit is left out: seeds from the last on, then images.
    """
    views = _views(pictures)
    several = len({(p.model, p.repair) for p in pictures if p.explainer != INPUT}) > 1
    seeds = list(dict.fromkeys(p.seed for p in pictures if p.explainer != INPUT))
    made = [seed_grid(view, seeds, *order, several=several) for view in views]
    last = len(seeds)
    while made and sum(grid.size for grid in made) > budget:
        if last > 1:
            last -= 1
            made = [grid.first(last) for grid in made]
        else:
            made.pop()
    return made


def seed_grid(view: Sequence[Picture], seeds: Sequence[int], *order: str, several: bool = False) -> Grid:
    """The pictures of one image under one model: a column for each of ``seeds``. Each method has its own
    scale, on which the strongest pixels of its consensus are in full colour."""
    heats = {(p.explainer, p.seed): p for p in view if p.explainer != INPUT}
    shown = next((p for p in view if p.explainer == INPUT), None)
    present = dict.fromkeys(name for name, _ in heats)
    methods = [*(name for name in order if name in present), *(name for name in present if name not in order)]
    names = ["consensus" if seed == CONSENSUS else f"seed {seed}" for seed in seeds]
    maps = {method: [heats.get((method, seed)) for seed in seeds] for method in methods}
    one = view[-1]
    setting = f"{one.model} on {one.data} ({one.repair}), " if several else ""
    labelled = "" if one.label in ("", one.target) else f" (labelled {one.label})"
    return Grid(
        f"{setting}explained: {one.target}{labelled}",
        grid_image(shown, f"the image, class {one.label}" if one.label else "the image"),
        tuple(names),
        tuple(map(words, methods)),
        tuple(grid_row(row, method, names, full_of(_scale(row))) for method, row in maps.items()),
        seeds=True,
        shares=tuple(top_share(_scale(row)) for row in maps.values()),
    )


def top_share(pictures: Sequence[Picture]) -> str:
    """How much of the weight the strongest tenth of the pixels has, and what it would have if all were alike.

    >>> one = Picture("digits", "deep", "lrp", -1, 3, "1", "1", 1, 10, (127, *(-25,) * 9))
    >>> top_share([one])
    'top tenth: 36 % (even: 10 %)'
    """
    values = sorted((abs(value) for picture in pictures[:1] for value in picture.values), reverse=True)
    if not sum(values):
        return "empty"
    first = (len(values) + 9) // 10
    share, even = sum(values[:first]) / sum(values), first / len(values)
    little = ": little stands out" if share < LITTLE * even else ""
    return f"top tenth: {percent(share, 0)} (even: {percent(even, 0)}){little}"


def _scale(row: Sequence[Picture | None]) -> list[Picture]:
    """The consensus, where there is one, else all."""
    kept = [picture for picture in row if picture is not None]
    return [picture for picture in kept if picture.seed == CONSENSUS] or kept


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


def grid_row(
    maps: Sequence[Picture | None], method: str, names: Sequence[str], full: float, positive: bool = False
) -> tuple[Image | None, ...]:
    """Heat maps of one method; ``full`` is the value in full colour, the same in all maps of an example."""
    pairs = zip(maps, names, strict=True)
    return tuple(grid_image(p, f"{words(method)}, {name}", positive, full) for p, name in pairs)


def grid_image(
    picture: Picture | None, name: str, positive: bool = False, full: float | None = None
) -> Image | None:
    if picture is None:
        return None
    wide = picture.width / picture.height
    return Image(picture_link(picture, positive, full), describe_picture(picture, name), wide)
