"""Confidence against accuracy: with hold and permuted attention, by itself, and class by class."""

from collections.abc import Callable, Mapping, Sequence

from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.curves import Curve, curves
from holdfast.report.charts.select import (
    differing,
    judged,
    key,
    place,
    select,
    settings,
    short,
    suffix,
    within,
    words,
)
from holdfast.study.calibration import BY_CLASS, PAIRS
from holdfast.study.measurement import FamilyKey, Measurement

ACCURACY, HOLD, PERMUTED = "accuracy", "hold", "attention permuted"
DASHED = "Dashed: as right as sure; below it, the models are over-confident."
CHANGE = "Attention permuted: how far that moves the probability of what is predicted. "
EVERY = "95 % for all bins at once, over seeds and test examples (none where there are fewer than 100)"


def joined(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Accuracy, the hold of the best explainer and, where it was measured, how far predictions move when
    attention is permuted, along confidence: a panel for each family (Jain Figure 3.8, with hold).

    >>> about = {"by": "confidence", "bin": "0.9"}
    >>> rows = [Measurement("d", "cnn", "none", "reliability", 0.8, at=at, **about) for at in (0.7, 0.93)]
    >>> joined(rows)[0].data["series"]
    ('accuracy', 'accuracy')
    """
    accuracy = select(rows, "reliability", "confidence")
    if len({place(row) for row in accuracy}) < 2:
        return ()  # a line needs two places
    families = list(dict.fromkeys(row.family for row in accuracy))
    held = {family: _held(rows, family) for family in families}
    moved = select(rows, "permutation", "confidence", label="")  # with a label, only those of one outcome
    moved = [row for row in moved if row.probe == moved[0].probe]  # others shuffle oftener, or less
    named = differing(families)
    points: list[Curve] = [_point(named(row.family), ACCURACY, row) for row in accuracy]
    points += [_point(named(f), HOLD, row) for f in held for row in held[f]]
    points += [_point(named(row.family), PERMUTED, row) for row in moved if row.family in families]
    shaded = ["of accuracy " + EVERY]
    shaded += [f"of hold ({_explainers(held, named)}) 95 % over seeds"] if any(held.values()) else []
    shaded += ["of permuted attention 95 % over seeds"] if moved else []
    return (
        curves(
            key("confidence", "joined"),
            "How right, how stable, by confidence",
            f"{DASHED} {CHANGE if moved else ''}Shaded: {', '.join(shaded)}.",
            points,
            # the value of each line, as the legend names it: longer would not fit a panel
            axes=("confidence", "value"),
            limits=(0.0, 1.0),
            diagonal=True,
        ),
    )


def reliability(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Accuracy against confidence, a colour for each repair; on the diagonal a model is calibrated."""
    chosen = select(rows, "reliability", "confidence")
    several = settings(chosen)
    caption = f"Accuracy at each confidence. {DASHED} Bars: {EVERY}. Larger dots: more examples."
    return tuple(
        _reliability(key("reliability", *setting), f"Reliability{suffix(setting, several)}", caption,
                     [(row.repair, row) for row in within(chosen, setting)])
        for setting in several
    )  # fmt: skip


def by_class(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """The same for the examples of each true class by themselves (Jain Figure 3.7), where there are two."""
    chosen = select(rows, BY_CLASS, "confidence")
    several = list(dict.fromkeys(row.family for row in chosen))
    named = differing(several)
    caption = (
        "The examples of each true class by themselves, as Jain's Figure 3.7 has them. A calibrated model "
        "need not lie on the dashed line here: of a rare class it is right less often than it is sure. "
        "Larger dots: more examples."
    )
    return tuple(
        _reliability(
            key("reliability-by-class", *family),
            f"Reliability by true class{f' ({named(family)})' if len(several) > 1 else ''}",
            caption,
            [(short(row.label, 24), row) for row in chosen if row.family == family],
        )
        for family in several
    )


def scoring_pairs(rows: Sequence[Measurement]) -> set[FamilyKey]:
    """The families that say of every candidate by itself whether it is taken."""
    return {row.family for row in select(rows, BY_CLASS, "confidence") if row.label in PAIRS}


def _reliability(name: str, title: str, caption: str, rows: list[tuple[str, Measurement]]) -> Figure:
    data = [(series, place(row), row.value, row.low, row.high, row.n) for series, row in rows]
    axes = ("mean confidence", "accuracy (on the dashed line is best)")
    return Figure(name, title, caption, "reliability", table("reliability", data), *axes)


def _held(rows: Sequence[Measurement], family: FamilyKey) -> list[Measurement]:
    """The hold of the family's first explainer: rows are in the order of the verdicts."""
    all_ = [row for row in select(judged(rows), "hold", "confidence") if row.family == family]
    return [row for row in all_ if row.explainer == all_[0].explainer]


def _explainers(held: Mapping[FamilyKey, list[Measurement]], named: Callable[[FamilyKey], str]) -> str:
    """Whose hold it is: one name, or one for each family where they differ."""
    names = {family: words(rows[0].explainer) for family, rows in held.items() if rows}
    if len(set(names.values())) == 1:
        return next(iter(names.values()))
    return ", ".join(f"{named(family)}: {name}" for family, name in names.items())


def _point(facet: str, series: str, row: Measurement) -> Curve:
    return facet, series, place(row), row.value, row.low, row.high
