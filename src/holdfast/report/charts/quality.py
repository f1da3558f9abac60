"""How good the models are, and how far their predictions move."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.curves import curves
from holdfast.report.charts.select import (
    differing,
    heading,
    key,
    place,
    repair_name,
    select,
    settings,
    suffix,
    within,
    words,
)
from holdfast.study.measurement import Measurement


def accuracy(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Accuracy (for recommenders, recall@10 %) of each seed as a dot, with the mean and its interval.

    >>> [figure] = accuracy([Measurement("d", "m", "none", "accuracy", 0.8, by="member", member="3")])
    >>> figure.data["member"]
    ('3',)
    """
    name = "recall" if select(rows, "recall") else "accuracy"
    chosen = [*select(rows, name), *select(rows, name, "member")]
    several = settings(chosen)
    return tuple(
        Figure(
            key(name, *setting),
            f"{heading(name)} of each seed{suffix(setting, several)}",
            "A dot per seed, on the test split; the bar is the mean, the shade its 95 % interval over seeds.",
            "strip",
            table("strip", _members(within(chosen, setting))),
            x=f"{words(name)} (higher is better)",
        )
        for setting in several
    )


def deviation(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """How far the predicted probability moves from seed to seed, by confidence (Jain Figures 4.11, 4.12)."""
    chosen = select(rows, "deviation", "confidence")
    several = settings(chosen)
    return tuple(
        curves(
            key("deviation", *setting),
            f"How far predictions move with the seed{suffix(setting, several)}",
            "Standard deviation of the predicted probability over seeds; shaded: 95 % interval.",
            [("", repair_name(r.repair), place(r), r.value, r.low, r.high) for r in within(chosen, setting)],
            axes=("mean predicted probability", "standard deviation over seeds (lower is better)"),
        )
        for setting in several
    )


def _members(rows: Sequence[Measurement]) -> list[tuple[Value, ...]]:
    """A line for each family, called by its repair; by its model where there is only one."""
    named = differing(row.family for row in rows)
    parts = {True: "mean", False: "member"}
    return [
        (named(r.family) or r.model, parts[r.by == "all"], r.member, r.value, r.low, r.high) for r in rows
    ]
