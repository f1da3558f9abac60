"""Heat maps of sentences: under each word of the consensus, a bar for every seed."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.report.charts.select import differing, short
from holdfast.report.modality import Unit
from holdfast.report.order import in_order
from holdfast.report.page import Span
from holdfast.report.standing import although
from holdfast.report.texts import LITTLE, Badge, badge, percent, span
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.findings import Example, Heat
from holdfast.study.measurement import FamilyKey

LEVELS, WINDOW, MOST_SEEDS = 9, 64, 24
SHOWN = 2  # words that other seeds name


@dataclass(frozen=True)
class Word:
    """One token: its CSS class by the consensus, and under each seed shown."""

    text: str
    tone: str
    true: bool
    seeds: tuple[str, ...]
    unknown: bool = False


@dataclass(frozen=True)
class Map:
    """One explainer's heat map, ready for the page.

    ``agree`` says how many seeds name which ``word`` as the strongest, ``others`` what the rest name,
    ``share`` how much of the weight the strongest has, ``nearest`` the impostor of the hold, ``although`` why
    it does not hold where most seeds agree. ``badge`` is there only where a word is decided.
    """

    explainer: str
    signed: bool
    badge: Badge | None
    hold: Span
    words: tuple[Word, ...]
    seeds: tuple[int, ...]
    agree: str
    word: str
    against: bool
    others: str
    share: str
    nearest: str
    although: str
    cut: str


@dataclass(frozen=True)
class Block:
    """One sentence under one model and repair: what is predicted, and every explainer's map of it."""

    label: str
    target: str
    probability: str
    right: bool
    maps: tuple[Map, ...]
    known: bool
    unknown: bool = False
    query: str = ""
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Blocks:
    """The examples of one family; ``name`` is empty where there is only one."""

    name: str
    blocks: tuple[Block, ...]


def blocks(
    examples: Sequence[Example], order: Sequence[ExplainerVerdict], bars: int, unit: Unit
) -> tuple[Blocks, ...]:
    """The examples of each family, with at most about ``bars`` bars in all.

    Families and explainers stand in the ``order`` of the verdicts. The first explainer keeps its bars; the
    others have bars while there is room, then show the consensus alone.
    """
    ordered = in_order(examples, order)
    shown = _fitting(ordered, bars)
    named = differing(FamilyKey(e.data, e.model, e.repair) for e in examples)
    groups: dict[FamilyKey, list[Block]] = {}
    for i, (example, heats) in enumerate(ordered):
        family = FamilyKey(example.data, example.model, example.repair)
        drawn = [(i, j) in shown for j in range(len(heats))]
        nearest = {row.explainer: row.nearest for row in order if family == (row.data, row.model, row.repair)}
        shown_maps = [
            _map(example, heat, bars, nearest.get(heat.explainer), unit)
            for heat, bars in zip(heats, drawn, strict=True)
        ]
        groups.setdefault(family, []).append(_block(example, shown_maps))
    return tuple(Blocks(named(family), tuple(made)) for family, made in groups.items())


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


def others(tokens: Sequence[str], heat: Heat) -> str:
    """What the seeds put first that do not name the strongest, counted.

    >>> scores = ((0.9, 0.1), (0.8, 0.2), (0.3, 0.7))
    >>> heat = Heat("a", False, scores, (0.7, 0.3), None, None, None, "undecided", strongest=0, agree=2)
    >>> others(["good", "plot"], heat)
    '1: “plot”'
    """
    places = Counter(_argmax(scores) for scores in heat.scores if scores)
    places.pop(heat.strongest, None)
    ranked = sorted(places.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{count}: {_called(tokens, place, heat.strongest)}" for place, count in ranked[:SHOWN]]
    rest = sum(count for _, count in ranked[SHOWN:])
    return ", ".join([*parts, *([f"{rest}: others"] if rest else [])])


def _called(tokens: Sequence[str], place: int, strongest: int) -> str:
    same = tokens[place : place + 1] == tokens[strongest : strongest + 1]
    return "the same elsewhere" if same else f"“{short(tokens[place])}”"


def share(consensus: Sequence[float], tokens: Sequence[str]) -> str:
    """How much of the weight the strongest position has, and what it would have if all were alike.

    >>> share((0.08, 0.05, -0.07), ["good", "thin", "plot"])
    'In the consensus “good” is strongest, with 40 % of the weight; 33 % would be even: little stands out.'
    """
    known = [abs(score) if math.isfinite(score) else 0.0 for score in consensus]
    total = sum(known)
    if not total or len(known) < 2:
        return ""
    most, even = max(known) / total, 1 / len(known)
    little = ": little stands out" if most < LITTLE * even else ""
    named = f"In the consensus “{short(tokens[_argmax(consensus)])}” is strongest"
    return f"{named}, with {percent(most, 0)} of the weight; {percent(even, 0)} would be even{little}."


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


def _block(example: Example, maps: Sequence[Map]) -> Block:
    return Block(
        label=example.label,
        target=example.target,
        probability=span(example.probabilities),
        right=example.label == example.target,
        maps=tuple(maps),
        known=example.rationale is not None,
        unknown=any(example.unknown),
        query=example.query,
        changes=example.changes,
    )


def _map(example: Example, heat: Heat, bars: bool, nearest: str | None, unit: Unit) -> Map:
    start, end = window(heat.consensus)
    none = (False,) * len(example.tokens)
    true, unknown = example.rationale or none, example.unknown or none
    rows = [tones(scores, heat.signed) for scores in heat.scores[:MOST_SEEDS]] if bars else []
    consensus = tones(heat.consensus, heat.signed)
    nearest = nearest if heat.standing is None else heat.standing.nearest
    return Map(
        explainer=heat.explainer,
        signed=heat.signed,
        badge=None if heat.verdict == "undecided" else badge(heat.verdict),
        hold=Span(heat.hold, heat.low, heat.high, scaled=True),
        words=tuple(
            Word(short(example.tokens[t]), consensus[t], true[t], tuple(row[t] for row in rows), unknown[t])
            for t in range(start, end)
        ),
        seeds=example.seeds[: len(rows)],
        agree="one seed" if len(heat.scores) == 1 else f"{heat.agree} of {len(heat.scores)} seeds",
        word=short(example.tokens[heat.strongest]) if heat.strongest < len(example.tokens) else "",
        against=heat.signed and any(score < 0 for score in heat.consensus[heat.strongest :][:1]),
        others=others(example.tokens, heat),
        share=share(heat.consensus, example.tokens),
        nearest=nearest or "",
        although=although(heat.agree, len(heat.scores), heat.verdict, nearest, unit),
        cut=_cut(example, heat, (start, end), len(rows), unit.lengths),
    )


def _cut(example: Example, heat: Heat, stretch: tuple[int, int], rows: int, many: str) -> str:
    sentences = []
    first, last = stretch
    if stretch != (0, count := len(example.tokens)):
        sentences.append(f"{many.capitalize()} {first + 1}–{last} of {count}, where most of the score is.")
    if rows == 0 and heat.scores:
        sentences.append("Only the consensus is shown, to keep this file small.")
    elif rows < len(heat.scores):
        sentences.append(f"The first {rows} of {len(heat.scores)} seeds.")
    return " ".join(sentences)


def _argmax(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=lambda t: abs(scores[t]) if math.isfinite(scores[t]) else -1.0)
