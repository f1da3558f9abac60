"""The page of explained texts: every word as all seeds together see it, and as each of them does."""

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.report.heat import WINDOW, Block, Map, blocks
from holdfast.report.html import render_template
from holdfast.report.modality import Unit
from holdfast.report.readable import unpinned
from holdfast.report.standing import notes
from holdfast.report.texts import missed
from holdfast.study.findings import Example, Heat

BARS, WORDS = 20_000, 6_000  # so that a page stays below 1 MB
FEW, FEW_BARS, FEW_WORDS = 20, 1_000, 400  # texts and the rest, so that a cell stays below 100 kB


@dataclass(frozen=True)
class Shown:
    """One explainer's heat map of a text, and what else to know."""

    map: Map
    notes: tuple[str, ...]


def render_texts(examples: Sequence[Example], unit: Unit, note: str = "", cell: bool = False) -> str:
    """One offline page, or a notebook's cell, of texts of one family; the same bytes for the same ones."""
    first, count = examples[0], len(examples)
    fitting = _fitting(examples[:FEW], FEW_WORDS) if cell else _fitting(examples, WORDS)
    kept = examples[:fitting]
    (family,) = blocks(kept, (), FEW_BARS if cell else BARS, unit)
    cut = count - len(kept)
    what = "this" if cell else "this file"
    left = f"The last {cut} of {count} texts are left out, to keep {what} small." if cut else ""
    seeds = f"{len(first.seeds)} seeds"
    in_run = dict.fromkeys(_in_run(heat) for example in examples for heat in example.heats)
    return render_template(
        "explained_texts.html",
        cell,
        title=f"{count} texts as {seeds} see them" if count > 1 else f"One text as {seeds} see it",
        about=f"{seeds} of {unpinned(first.model)} on {first.data} (repair: {first.repair}).",
        in_run=[sentence for sentence in in_run if sentence],
        notes=[sentence for sentence in (note, left) if sentence],
        unknown=any(block.unknown for block in family.blocks),
        texts=[(block, _shown(block, one)) for block, one in zip(family.blocks, kept, strict=True)],
    )


def _fitting(examples: Sequence[Example], room: int) -> int:
    """How many texts there is room for, counted in words."""
    for number, example in enumerate(examples):
        room -= min(len(example.tokens), WINDOW) * len(example.heats)
        if room < 0 and number:
            return number
    return len(examples)


def _shown(block: Block, example: Example) -> list[Shown]:
    maps = zip(block.maps, example.heats, strict=True)
    return [Shown(one, _remarks(heat)) for one, heat in maps]


def _in_run(heat: Heat) -> str:
    return "" if heat.standing is None else heat.standing.in_run


def _remarks(heat: Heat) -> tuple[str, ...]:
    told = [said for said in notes(heat.standing) if said != _in_run(heat)]
    warning = missed(heat.explainer, heat.lost)
    return (*told, *([f"{warning[:1].upper()}{warning[1:]}."] if warning else []))
