"""The page of explained texts: every word as all seeds together see it, and as each of them does."""

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.report.charts.select import short
from holdfast.report.heat import MOST_SEEDS, tones, window
from holdfast.report.html import render_template
from holdfast.report.page import Span
from holdfast.report.standing import agreed, notes, strongest_word
from holdfast.report.texts import Badge, badge, missed, percent
from holdfast.study.findings import Example, Heat

BARS = 20_000  # so that a page stays below 1 MB
WORDS = 6_000
SMALL = "to keep this file small"


@dataclass(frozen=True)
class Word:
    """One word: its tone by the consensus, and by each seed that is shown."""

    text: str
    tone: str
    seeds: tuple[str, ...]


@dataclass(frozen=True)
class Map:
    """One explainer's heat map of one text; ``badge`` is there only where a word is decided."""

    explainer: str
    agree: str
    hold: Span
    against: str
    badge: Badge | None
    words: tuple[Word, ...]
    seeds: tuple[int, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """One text: the class that is explained, how sure the seeds are, and its heat maps."""

    target: str
    probability: str
    maps: tuple[Map, ...]


def render_texts(examples: Sequence[Example], note: str = "") -> str:
    """One offline page; the same bytes for the same examples."""
    first, count = examples[0], len(examples)
    seeds = f"{len(first.seeds)} seeds"
    in_run = dict.fromkeys(said for example in examples for heat in example.heats for said in _in_run(heat))
    many = f"{count} texts" if count > 1 else "One text"
    bars, kept = _bars(examples), _fitting(examples)
    cut = f"The last {count - kept} texts are left out, {SMALL}." if kept < count else ""
    return render_template(
        "explained_texts.html",
        title=f"{many} as {seeds} see {'them' if count > 1 else 'it'}",
        about=f"{seeds} of {first.model} on {first.data} (repair: {first.repair}).",
        in_run=tuple(in_run),
        notes=tuple(sentence for sentence in (note, cut) if sentence),
        texts=tuple(_shown(one, i < bars) for i, one in enumerate(examples[:kept])),
    )


def _in_run(heat: Heat) -> tuple[str, ...]:
    return () if heat.standing is None or not heat.standing.in_run else (heat.standing.in_run,)


def _bars(examples: Sequence[Example]) -> int:
    """How many texts have a bar for every seed."""
    room = BARS
    for number, example in enumerate(examples):
        room -= _drawn(example) * min(len(example.seeds), MOST_SEEDS)
        if room < 0:
            return number
    return len(examples)


def _fitting(examples: Sequence[Example]) -> int:
    """How many texts are shown at all."""
    room = WORDS
    for number, example in enumerate(examples):
        room -= _drawn(example)
        if room < 0 and number:
            return number
    return len(examples)


def _drawn(example: Example) -> int:
    return sum(end - start for start, end in (window(heat.consensus) for heat in example.heats))


def _shown(example: Example, bars: bool) -> Shown:
    mean = sum(example.probabilities) / len(example.probabilities)
    low, high = (percent(f(example.probabilities), 0) for f in (min, max))
    return Shown(
        example.target,
        f"{percent(mean, 0)} ({low} to {high} over seeds)",
        tuple(_map(example, heat, bars) for heat in example.heats),
    )


def _map(example: Example, heat: Heat, bars: bool) -> Map:
    start, end = window(heat.consensus)
    rows = [tones(scores, heat.signed) for scores in heat.scores[:MOST_SEEDS]] if bars else []
    consensus = tones(heat.consensus, heat.signed)
    nearest = "" if heat.standing is None else heat.standing.nearest or ""
    return Map(
        explainer=heat.explainer,
        agree=agreed(heat.agree, len(heat.scores), f"“{short(strongest_word(heat, example.tokens))}”"),
        hold=Span(heat.hold, heat.low, heat.high, scaled=True),
        against=nearest,
        badge=None if heat.verdict == "undecided" else badge(heat.verdict),
        words=tuple(
            Word(short(example.tokens[t]), consensus[t], tuple(row[t] for row in rows))
            for t in range(start, end)
        ),
        seeds=example.seeds[: len(rows)],
        notes=(*_cut(example, heat, (start, end), len(rows)), *_remarks(heat)),
    )


def _cut(example: Example, heat: Heat, stretch: tuple[int, int], rows: int) -> list[str]:
    told = []
    if stretch != (0, len(example.tokens)):
        places = f"Words {stretch[0] + 1}–{stretch[1]} of {len(example.tokens)}"
        told.append(f"{places}, where most of the weight is.")
    if not rows:
        told.append(f"All seeds together only, {SMALL}.")
    elif rows < len(heat.scores):
        told.append(f"The first {rows} of {len(heat.scores)} seeds.")
    return told


def _remarks(heat: Heat) -> list[str]:
    told = [said for said in notes(heat.standing) if said not in _in_run(heat)]
    warning = missed(heat.explainer, heat.lost)
    return [*told, *([f"{warning[:1].upper()}{warning[1:]}."] if warning else [])]
