"""Where explanations hold and where not: by confidence, by length, by label, by comparison, by layer."""

from collections.abc import Sequence

from holdfast.measure.survives import HOLDS, SHAKY
from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.curves import curves, word_bars
from holdfast.report.charts.select import differing, key, place, select, settings, suffix, within, words
from holdfast.study.measurement import Measurement

LADDER = (SHAKY, HOLDS)
UNIT = (0.0, 1.0)
AXIS = "hold (higher is better)"
DASHED = f"Dashed: below {SHAKY} it does not hold, from {HOLDS} it holds."


def hold_by(rows: Sequence[Measurement], by: str, axis: str = "predicted probability") -> tuple[Figure, ...]:
    """Hold along confidence or length: a line for each explainer, a panel for each family; none where all
    examples lie at one place.

    >>> about = {"explainer": "attention", "by": "length", "bin": "1-9", "at": 5}
    >>> rows = [Measurement("d", "cnn", "none", "hold", 0.8, **(about | {"at": at})) for at in (5, 15)]
    >>> [figure] = hold_by(rows, "length", "length in tokens")
    >>> figure.x, figure.data["series"]
    ('length in tokens', ('attention', 'attention'))
    """
    chosen = select(rows, "hold", by)
    if len({place(row) for row in chosen}) < 2:
        return ()  # a line needs two places
    named, first = differing(row.family for row in chosen), words(chosen[0].explainer)
    points = [(named(row.family), words(row.explainer), place(row), *_ends(row)) for row in chosen]
    one = curves(
        key("hold", by),
        f"Hold by {by}",
        f"A line for each explainer. {DASHED} Shaded: 95 % interval over seeds of {first}; the others' are "
        "in the CSV file.",
        points,
        axes=(axis, AXIS),
        limits=UNIT,
        marks=LADDER,
        banded=first,
    )
    return (one,)


def hold_by_label(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Hold for each class: a colour for each explainer, a panel for each family."""
    chosen = select(rows, "hold", "label")
    if not chosen:
        return ()
    named = differing(row.family for row in chosen)
    lines = [(named(row.family), row.label, words(row.explainer), *_ends(row)) for row in chosen]
    caption = f"A colour for each explainer, with 95 % intervals over seeds. {DASHED}"
    return (_dots(key("hold", "label"), "Hold by class", caption, lines, AXIS),)


def hold_of_all(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Hold of every explainer under every repair: before and after."""
    chosen = select(rows, "hold")
    several = settings(chosen)
    return tuple(
        _dots(
            key("hold", *setting),
            f"Hold before and after{suffix(setting, several)}",
            f"Every explainer under every repair, with 95 % intervals over seeds. {DASHED}",
            [("", words(row.explainer), row.repair, *_ends(row)) for row in within(chosen, setting)],
            AXIS,
        )
        for setting in several
    )


def by_layer(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """How much each layer computes the same thing under another seed."""
    chosen = select(rows, "layer", "layer")
    several = settings(chosen)
    return tuple(
        Figure(
            key("layer", *setting),
            f"Stability layer by layer{suffix(setting, several)}",
            "One row per layer, in the order of the network; 95 % intervals over seeds.",
            "dots",
            table("dots", [("", r.bin, r.repair, r.value, r.low, r.high) for r in within(chosen, setting)]),
            x=words(next((r.comparison for r in within(chosen, setting) if r.comparison), "")),
        )
        for setting in several
    )


def per_word(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Each word's deviation over seeds, before and after: a figure per sentence and explainer."""
    chosen = select(rows, "word", "word")
    groups = list(dict.fromkeys((r.data, r.model, r.sentence, r.explainer) for r in chosen))
    figures = []
    for number, (data, model, sentence, explainer) in enumerate(groups, start=1):
        mine = [
            r
            for r in chosen
            if (r.data, r.model, r.sentence, r.explainer) == (data, model, sentence, explainer)
        ]
        values: dict[str, dict[str, float]] = {}
        for row in mine:
            values.setdefault(row.repair, {})[row.bin] = row.value
        bins = list(dict.fromkeys(row.bin for row in sorted(mine, key=_position)))
        figures.append(
            word_bars(
                key("word", data, model, sentence, explainer, str(number)),
                f"Deviation per word, sentence {sentence} ({words(explainer or 'attention')}, {model})",
                "Standard deviation over seeds of the weight on each word.",
                [name.partition(":")[2] or name for name in bins],
                {
                    repair: [column.get(name, float("nan")) for name in bins]
                    for repair, column in values.items()
                },
            )
        )
    return tuple(figures)


def _ends(row: Measurement) -> tuple[float, float | None, float | None]:
    return row.value, row.low, row.high


def _position(row: Measurement) -> int:
    number = row.bin.partition(":")[0]
    return int(number) if number.isdecimal() else 0


def _dots(name: str, title: str, caption: str, rows: Sequence[tuple[Value, ...]], axis: str) -> Figure:
    return Figure(name, title, caption, "dots", table("dots", rows), x=axis, limits=UNIT, marks=LADDER)
