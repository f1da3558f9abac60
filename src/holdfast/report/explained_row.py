"""The page of one explained row of a table: what each column adds, as all seeds and as each of them."""

from collections.abc import Iterator, Sequence

from holdfast.report.bars import Bars, bars_of
from holdfast.report.heat import Map, blocks
from holdfast.report.html import render_template
from holdfast.report.modality import Unit
from holdfast.report.standing import notes
from holdfast.study.findings import Example

DOTTED = 4  # explainers whose dots a cell has room for


def render_row(example: Example, unit: Unit, cell: bool = False) -> str:
    """One offline page, or a notebook's cell; the same bytes for the same example."""
    dots = not cell or len(example.heats) <= DOTTED
    seeds = f"{len(example.seeds)} seeds"
    (family,) = blocks([example], (), 0, unit)
    return render_template(
        "explained_row.html",
        cell,
        title=f"One row as {seeds} see it",
        about=f"{seeds} of {example.model} on {example.data} (repair: {example.repair}).",
        block=family.blocks[0],
        shown=list(_shown(example, family.blocks[0].maps, dots)),
        dots=dots,
    )


def _shown(example: Example, maps: Sequence[Map], dots: bool) -> Iterator[tuple[Bars, tuple[str, ...]]]:
    for heat, one in zip(example.heats, maps, strict=True):
        yield bars_of(example, heat, one, dots), tuple(notes(heat.standing))
