"""The tables of the page: a line for each method of a model on a data set, with intervals over seeds."""

from collections.abc import Sequence
from statistics import fmean

from holdfast.measure.reduce import Interval
from holdfast.report.page import Entry, Span, Table
from holdfast.report.texts import percent
from holdfast.studies.seat.measures import CHANGED, CONSTANT, FLIPPED, MOVED, UNFLIPPED
from holdfast.studies.seat.names import method, with_strength
from holdfast.studies.seat.numbers import (
    COMPREHENSIVE,
    CONTRAST,
    HOLD,
    SCORE,
    SEEDS,
    SENSITIVE,
    SUFFICIENT,
    compared,
    under,
)
from holdfast.studies.seat.one_text import SENTENCE
from holdfast.studies.seat.plan import NO_STABILITY, NO_TOPK, NONE, SEAT, TABLE_4
from holdfast.studies.seat.strengths import chosen, rival_of, strength_of, validation_scores
from holdfast.studies.seat.surrogates import FOLLOWS, LOSS, OVERLAP
from holdfast.studies.seat.worth import Worth
from holdfast.study.measurement import FamilyKey, Measurement, QuantityKey
from holdfast.study.numbers import MEMBER

NAMED = ("data", "model", "method")
TERMS = (NONE, NO_STABILITY, NO_TOPK, SEAT)
Column = tuple[str, QuantityKey]


def moved(rows: Sequence[Measurement]) -> list[Table]:
    """How far attention and predictions move, and how often the class changes, by what moves them."""
    probes = dict.fromkeys(row.probe for row in rows if row.quantity == MOVED)
    heads = {
        MOVED: "attention",
        MOVED + UNFLIPPED: "attention, not flipped",
        CHANGED: "prediction",
        CHANGED + UNFLIPPED: "prediction, not flipped",
        FLIPPED: "flipped",
    }
    return [
        _table(
            rows, [(head, QuantityKey(name, probe=probe)) for name, head in heads.items()], probe_name(probe)
        )
        for probe in probes
    ]


def one_text(rows: Sequence[Measurement]) -> Table:
    """How far attention and prediction move on the text that is shown."""
    cells: dict[FamilyKey, dict[str, Span]] = {}
    for row in rows:
        if row.by == SENTENCE:
            cells.setdefault(row.family, {})[row.quantity] = _span(row.interval, row.what)
    lines: list[tuple[Entry, ...]] = [
        (one.data, one.model, with_strength(one.repair), *(known[name] for name in (MOVED, CHANGED)))
        for one, known in cells.items()
    ]
    return Table((*NAMED, "attention", "prediction"), tuple(lines))


def probe_name(probe: str) -> str:
    """What moved the input, as a reader says it.

    >>> probe_name("noise:radius=0.001,norm=linf,way=worst"), probe_name("dropped")
    ('Noise within 0.001 of each number of a vector, at worst', 'Words: dropped')
    """
    name, _, rest = probe.partition(":")
    if name != "noise":
        return f"Words: {name}"
    settings = dict(pair.split("=") for pair in rest.split(","))
    where = "each number of a vector" if settings["norm"] == "linf" else "the whole text (l2)"
    way = "at worst" if settings["way"] == "worst" else "at random"
    return f"Noise within {settings['radius']} of {where}, {way}"


def faithful(rows: Sequence[Measurement]) -> Table:
    """Each number beside the one of random orders."""
    columns: list[Column] = []
    for head, what in (
        ("comprehensiveness", COMPREHENSIVE),
        ("sufficiency", SUFFICIENT),
        ("noise that flips", SENSITIVE),
    ):
        columns += [(head, what), ("random order", QuantityKey("drop_random", probe=what.probe))]
    return _table(rows, columns)


def ablation(rows: Sequence[Measurement]) -> Table:
    """SEAT with neither, each and both of its penalties."""
    few = [row for row in rows if row.repair in TERMS]
    columns = [
        ("sufficiency", SUFFICIENT),
        (f"prediction under noise of {TABLE_4.radius:g}", under(TABLE_4)[1]),
        ("F1", SCORE),
    ]
    return _table(few, columns)


def surrogates(rows: Sequence[Measurement]) -> Table:
    """The top-k loss beside the overlap it stands for."""
    columns = [("top-k loss", QuantityKey(LOSS)), ("top k shared with the teacher", QuantityKey(OVERLAP))]
    return _table(
        rows,
        [*columns, ("rank correlation of loss and what is not shared", QuantityKey(FOLLOWS))],
        "Does the top-k loss follow the overlap?",
        "Over texts, in each seed; 1 is the same order.",
    )


def seeds(rows: Sequence[Measurement]) -> Table:
    """How far seeds are from each other, what of it holds, and whether it says anything."""
    return _table(
        rows, [("divergence between seeds", SEEDS), ("hold", HOLD), ("contrast", CONTRAST), ("F1", SCORE)]
    )


def worth(found: Sequence[Worth]) -> Table:
    """What each repair changes of the vanilla model."""
    lines: list[tuple[Entry, ...]] = [
        (
            one.family.data,
            one.family.model,
            with_strength(one.family.repair),
            _of(one.hold),
            Span(one.p, digits=3),
            _of(one.score),
        )
        for one in found
    ]
    caption = (
        "Against the vanilla model of the same seeds; 95 % intervals over seeds. p is that of no change of "
        "the hold, corrected by Holm for the number of methods that compete; 0.05 or less is beyond chance."
    )
    return Table((*NAMED, "change of hold", "p", "change of F1"), tuple(lines), "", caption)


def strengths(rows: Sequence[Measurement]) -> Table:
    """Every strength that was tried of every rival, with its score on validation texts."""
    scores = validation_scores(rows)
    kept = set(chosen(scores))
    constants = {row.family: row.value for row in rows if row.quantity == CONSTANT}
    lines: list[tuple[Entry, ...]] = [
        (
            family.data,
            family.model,
            method(family.repair),
            f"{strength_of(family.repair):g}",
            Span(score, digits=3),
            "chosen" if family in kept else "",
            percent(constants.get(family)),
        )
        for family, score in scores.items()
        if rival_of(family.repair)
    ]
    caption = (
        "Mean macro-F1 over seeds on the validation texts; of equal scores the weaker strength counts. One "
        "answer: seeds of which 99 % of the test predictions are of one class."
    )
    return Table((*NAMED, "strength ε", "F1 on validation", "", "one answer"), tuple(lines), "", caption)


def _table(
    rows: Sequence[Measurement], columns: Sequence[Column], title: str = "", caption: str = ""
) -> Table:
    """The families that have any of the numbers, each with its intervals."""
    known = {what for _, what in columns}
    cells: dict[tuple[FamilyKey, QuantityKey], Span] = {}
    single: dict[tuple[FamilyKey, QuantityKey], list[float]] = {}
    for row in rows:
        place = (row.family, row.what)
        if row.what in known and row.by == "all":
            cells[place] = _span(row.interval, row.what)
        elif row.what in known and row.by == MEMBER:
            single.setdefault(place, []).append(row.value)
    for place, values in single.items():
        mean = Interval(fmean(values), None, None, len(values))
        cells.setdefault(place, _span(mean, place[1]))
    families = [family for family in compared(rows) if any((family, what) in cells for what in known)]
    lines: list[tuple[Entry, ...]] = [
        (
            family.data,
            family.model,
            with_strength(family.repair),
            *(cells.get((family, what), Span(None)) for _, what in columns),
        )
        for family in families
    ]
    return Table((*NAMED, *(head for head, _ in columns)), tuple(lines), title, caption)


def _span(interval: Interval, what: QuantityKey) -> Span:
    """A hold on its scale; what may be tiny with the digits that say something."""
    tiny = what.quantity in (MOVED, CHANGED, MOVED + UNFLIPPED, CHANGED + UNFLIPPED)
    ends = (interval.value, interval.low, interval.high)
    return Span(*ends, digits=3, exact=tiny, scaled=what == HOLD)


def _of(interval: Interval) -> Span:
    return Span(interval.value, interval.low, interval.high, digits=3)
