"""Where explanations hold and where not: by confidence, by length, by label, by comparison, by layer."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.curves import curves, word_bars
from holdfast.report.charts.select import heading, key, place, remark, select, settings, suffix, within, words
from holdfast.study.measurement import Measurement

LADDER = (0.5, 0.8)
UNIT = (0.0, 1.0)
PROBABILITY = "predicted probability"


def hold_by(rows: Sequence[Measurement], by: str, axis: str = PROBABILITY) -> tuple[Figure, ...]:
    """Hold along confidence or length: a panel per explainer, a line per repair.

    >>> about = {"explainer": "attention", "by": "length", "bin": "1-9", "at": 5}
    >>> rows = [Measurement("d", "cnn", "none", "hold", 0.8, **about)]
    >>> [figure] = hold_by(rows, "length", "length in tokens")
    >>> figure.x, figure.data["value"]
    ('length in tokens', (0.8,))
    """
    chosen = select(rows, "hold", by)
    several = settings(chosen)
    return tuple(
        curves(
            key("hold", by, *setting),
            f"Hold by {by}{suffix(setting, several)}",
            "Dashed: below 0.5 it does not hold, from 0.8 it holds. Shaded: 95 % interval over seeds.",
            [_point(row) for row in within(chosen, setting)],
            axes=(axis, "hold"),
            limits=UNIT,
            marks=LADDER,
        )
        for setting in several
    )


def hold_by_label(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Hold for each label: a panel per explainer, a colour per repair."""
    chosen = select(rows, "hold", "label")
    several = settings(chosen)
    return tuple(
        _dots(
            key("hold", "label", *setting),
            f"Hold by label{suffix(setting, several)}",
            "Dots with 95 % intervals over seeds; dashed at 0.5 and 0.8.",
            [
                (words(r.explainer), r.label, r.repair, r.value, r.low, r.high)
                for r in within(chosen, setting)
            ],
            "hold",
        )
        for setting in several
    )


def hold_of_all(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Hold of every explainer under every repair: before and after."""
    chosen = select(rows, "hold")
    several = settings(chosen)
    return tuple(
        _dots(
            key("hold", *setting),
            f"Hold before and after{suffix(setting, several)}",
            "Every explainer under every repair, with 95 % intervals over seeds; dashed at 0.5 and 0.8.",
            [("", words(r.explainer), r.repair, r.value, r.low, r.high) for r in within(chosen, setting)],
            "hold",
        )
        for setting in several
    )


def stability_by(rows: Sequence[Measurement], comparison: str) -> tuple[Figure, ...]:
    """One comparison over pairs of seeds, along confidence: a panel per explainer, a line per repair."""
    chosen = select(rows, "stability", "confidence", comparison=comparison)
    several = settings(chosen)
    return tuple(
        curves(
            key("stability", "confidence", comparison, *setting),
            f"{heading(comparison)} between seeds, by confidence{suffix(setting, several)}",
            f"Mean over all pairs of seeds; shaded: 95 % interval over seeds.{remark([comparison])}",
            [_point(row) for row in within(chosen, setting)],
            axes=(PROBABILITY, words(comparison)),
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


def _point(row: Measurement) -> tuple[str, str, float, float, float | None, float | None]:
    return words(row.explainer), row.repair, place(row), row.value, row.low, row.high


def _position(row: Measurement) -> int:
    number = row.bin.partition(":")[0]
    return int(number) if number.isdecimal() else 0


def _dots(name: str, title: str, caption: str, rows: list[tuple[Value, ...]], axis: str) -> Figure:
    return Figure(name, title, caption, "dots", table("dots", rows), x=axis, limits=UNIT, marks=LADDER)
