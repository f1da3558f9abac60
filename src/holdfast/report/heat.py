"""Heat maps of sentences: under each word of the consensus, a bar for every seed."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.report.charts.select import short
from holdfast.report.texts import Badge, badge, number
from holdfast.study.findings import Example, Heat

LEVELS = 9
WINDOW = 64
MOST_SEEDS = 24


@dataclass(frozen=True)
class Word:
    """One token: its CSS class by the consensus, and under each seed shown."""

    text: str
    tone: str
    true: bool
    seeds: tuple[str, ...]


@dataclass(frozen=True)
class Map:
    """One explainer's heat map, ready for the page."""

    explainer: str
    signed: bool
    badge: Badge
    hold: str
    words: tuple[Word, ...]
    seeds: tuple[int, ...]
    strongest: str
    cut: str


@dataclass(frozen=True)
class Block:
    """One sentence under one model and repair: what is predicted, and every explainer's map of it."""

    setting: str
    label: str
    target: str
    probability: str
    right: bool
    maps: tuple[Map, ...]
    known: bool


def blocks(examples: Sequence[Example], first: str, bars: int, many: str = "tokens") -> tuple[Block, ...]:
    """The examples, with at most about ``bars`` bars in all.

    The explainer ``first`` comes first and keeps its bars; the others have bars while there is room, and
    then show only the consensus. ``many`` is what an example consists of, in the plural.
    """
    ordered = [_ordered(example, first) for example in examples]
    shown = _fitting(ordered, bars)
    several = len({(e.data, e.model, e.repair) for e in examples}) > 1
    return tuple(
        _block(example, heats, [(i, j) in shown for j in range(len(heats))], several, many)
        for i, (example, heats) in enumerate(ordered)
    )


def tones(scores: Sequence[float], signed: bool) -> tuple[str, ...]:
    """The CSS class of each score: ``p`` speaks for, ``n`` against, in nine steps up to the largest.

    >>> tones([0.0, 0.5, -1.0], signed=True), tones([0.0, 0.5, -1.0], signed=False)
    (('p0', 'p5', 'n9'), ('p0', 'p5', 'p9'))
    """
    known = [score if math.isfinite(score) else 0.0 for score in scores]
    largest = max((abs(score) for score in known), default=0.0)
    if largest == 0.0:
        return ("p0",) * len(known)
    steps = [math.floor(abs(score) / largest * LEVELS + 0.5) for score in known]
    return tuple(
        f"{'n' if signed and step and score < 0 else 'p'}{step}"
        for score, step in zip(known, steps, strict=True)
    )


def strongest(tokens: Sequence[str], heat: Heat) -> str:
    """In how many seeds each word has the highest score.

    >>> heat = Heat("a", False, ((0.9, 0.1), (0.8, 0.2), (0.3, 0.7)), (0.7, 0.3), None, None, None, "shaky")
    >>> strongest(["good", "plot"], heat)
    'Strongest: “good” in 2 of 3 seeds, “plot” in 1.'
    """
    places = Counter(_argmax(scores) for scores in heat.scores if scores)
    if not places:
        return ""
    ranked = sorted(places.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"“{short(tokens[place])}” in {count}" for place, count in ranked[:3]]
    parts[0] += f" of {len(heat.scores)} seeds"
    rest = sum(count for _, count in ranked[3:])
    return f"Strongest: {', '.join(parts)}{f', others in {rest}' if rest else ''}."


def window(scores: Sequence[float], width: int = WINDOW) -> tuple[int, int]:
    """The stretch of at most ``width`` tokens that carries most of the scores.

    >>> window([0, 0, 0, 5, 1], 2)
    (3, 5)
    """
    if len(scores) <= width:
        return 0, len(scores)
    known = [abs(score) if math.isfinite(score) else 0.0 for score in scores]
    sums = [sum(known[:width])]
    for end in range(width, len(known)):
        sums.append(sums[-1] + known[end] - known[end - width])
    start = max(range(len(sums)), key=sums.__getitem__)
    return start, start + width


def _ordered(example: Example, first: str) -> tuple[Example, list[Heat]]:
    return example, sorted(example.heats, key=lambda heat: heat.explainer != first)


def _fitting(ordered: Sequence[tuple[Example, list[Heat]]], bars: int) -> set[tuple[int, int]]:
    places = sorted(
        ((i, j) for i, (_, heats) in enumerate(ordered) for j in range(len(heats))), key=lambda p: p[1] > 0
    )
    shown = set()
    for i, j in places:
        example, heats = ordered[i]
        bars -= min(len(example.tokens), WINDOW) * min(len(heats[j].scores), MOST_SEEDS)
        if bars >= 0:
            shown.add((i, j))
    return shown


def _block(example: Example, heats: Sequence[Heat], bars: Sequence[bool], several: bool, many: str) -> Block:
    low, high = min(example.probabilities, default=None), max(example.probabilities, default=None)
    return Block(
        setting=f"{example.model} on {example.data}, repair: {example.repair}" if several else "",
        label=example.label,
        target=example.target,
        probability=number(low) if number(low) == number(high) else f"{number(low)} – {number(high)}",
        right=example.label == example.target,
        maps=tuple(_map(example, heat, shown, many) for heat, shown in zip(heats, bars, strict=True)),
        known=example.rationale is not None,
    )


def _map(example: Example, heat: Heat, bars: bool, many: str) -> Map:
    start, end = window(heat.consensus)
    true = example.rationale or (False,) * len(example.tokens)
    rows = [tones(scores, heat.signed) for scores in heat.scores[:MOST_SEEDS]] if bars else []
    consensus = tones(heat.consensus, heat.signed)
    return Map(
        explainer=heat.explainer,
        signed=heat.signed,
        badge=badge(heat.verdict),
        hold=_interval(heat),
        words=tuple(
            Word(short(example.tokens[t]), consensus[t], true[t], tuple(row[t] for row in rows))
            for t in range(start, end)
        ),
        seeds=example.seeds[: len(rows)],
        strongest=strongest(example.tokens, heat),
        cut=_cut(example, heat, (start, end), len(rows), many),
    )


def _cut(example: Example, heat: Heat, stretch: tuple[int, int], rows: int, many: str) -> str:
    sentences = []
    if stretch != (0, len(example.tokens)):
        places = f"{many.capitalize()} {stretch[0] + 1}–{stretch[1]} of {len(example.tokens)}"
        sentences.append(f"{places}, where most of the score is.")
    if rows == 0 and heat.scores:
        sentences.append("Only the consensus is shown, to keep this file small.")
    elif rows < len(heat.scores):
        sentences.append(f"The first {rows} of {len(heat.scores)} seeds.")
    return " ".join(sentences)


def _interval(heat: Heat) -> str:
    return "" if heat.hold is None else f"{number(heat.hold)} [{number(heat.low)}, {number(heat.high)}]"


def _argmax(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=lambda t: abs(scores[t]) if math.isfinite(scores[t]) else -1.0)
