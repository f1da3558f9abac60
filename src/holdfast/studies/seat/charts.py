"""Figures of the study: hold against F1, and how far other seeds' attention is (Figure 2)."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure
from holdfast.report.charts.curves import Curve, curves
from holdfast.report.charts.select import key, settings, suffix, within
from holdfast.report.charts.trade import trade
from holdfast.studies.seat.densities import DENSITY
from holdfast.studies.seat.names import method
from holdfast.studies.seat.numbers import HOLD, SCORE
from holdfast.studies.seat.plan import ASWA, BOTH, NONE, SEAT
from holdfast.study.measurement import Measurement

BINS = ("0 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1")


def hold_against_f1(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """A point for each repair, of each model on each data set."""
    holds = {row.family: row for row in rows if (row.what, row.by) == (HOLD, "all")}
    scores = {row.family: row for row in rows if (row.what, row.by) == (SCORE, "all")}
    several = settings(holds.values())
    return tuple(
        trade(
            key("hold-f1", *setting),
            f"Hold against F1{suffix(setting, several)}",
            "The hold of attention, against the nearest of the three impostors, and macro-F1 on the test "
            "texts. Bars: 95 % intervals over seeds, of hold from 0 up. Up and to the right is better.",
            [
                (method(row.repair), scores[row.family].interval, row.interval.within(0.0, 1.0))
                for row in within(holds.values(), setting)
                if row.family in scores
            ],
            ("macro-F1", "hold of attention"),
        )
        for setting in several
    )


def divergences(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """The density of the largest divergence between the first seed and the others, by the first one's largest
    weight and by label."""
    shown = [row for row in rows if row.quantity == DENSITY and row.repair in (NONE, SEAT, ASWA, BOTH)]
    several = settings(shown)
    return tuple(
        curves(
            key("divergence", *setting),
            f"How far other seeds' attention is from the first seed's{suffix(setting, several)}",
            "Density over texts of the largest Jensen–Shannon divergence between seed 0 and any other seed, "
            "by the largest weight of seed 0 and by label (SEAT, Figure 2, which prints no numbers).",
            [_point(row) for row in within(shown, setting)],
            ("largest divergence, nats", "density"),
        )
        for setting in several
    )


def _point(row: Measurement) -> Curve:
    panel = f"largest weight {BINS[int(row.bin.partition('/')[0])]}, {row.label}"
    return panel, method(row.repair), row.at or 0.0, row.value, None, None
