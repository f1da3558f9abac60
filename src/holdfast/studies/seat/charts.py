"""Figures of the study: hold against F1, one text (Figure 1), and how far other seeds' attention is (2)."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.curves import Curve, curves
from holdfast.report.charts.select import key, settings, short, suffix, within
from holdfast.report.charts.trade import trade
from holdfast.studies.seat.densities import DENSITY
from holdfast.studies.seat.names import method
from holdfast.studies.seat.numbers import HOLD, SCORE, collapsed
from holdfast.studies.seat.one_text import AFTER, BEFORE
from holdfast.studies.seat.plan import ASWA, BOTH, NONE, SEAT
from holdfast.study.measurement import Measurement

BINS = ("0–¼", "¼–½", "½–¾", "¾–1")
LABEL, WORD = 12, 22  # letters, as a panel is narrow
FEWEST = 10  # texts that have a density


def hold_against_f1(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """A point for each repair, of each model on each data set."""
    holds = {row.family: row for row in rows if (row.what, row.by) == (HOLD, "all")}
    scores = {row.family: row for row in rows if (row.what, row.by) == (SCORE, "all")}
    lost = collapsed(rows)
    holds = {family: row for family, row in holds.items() if family not in lost}
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
    kept = [row for row in rows if row.quantity == DENSITY and row.repair in (NONE, SEAT, ASWA, BOTH)]
    shown = sorted((row for row in kept if row.n >= FEWEST), key=lambda row: (_bin(row), row.label))
    several = settings(shown)
    return tuple(
        curves(
            key("divergence", *setting),
            f"How far other seeds' attention is from the first seed's{suffix(setting, several)}",
            "Density over texts of the largest Jensen–Shannon divergence between seed 0 and any other seed, "
            "by the largest weight that seed 0 gives a word of the text and by label, where there are "
            f"{FEWEST} such texts or more (SEAT, Figure 2, which prints no numbers).",
            [_point(row) for row in within(shown, setting)],
            ("divergence, nats", "density"),
        )
        for setting in several
    )


def one_text(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """The attention on each word of a text as it is and after a word was changed, a panel for each method."""
    series = {BEFORE: "as it is", AFTER: "changed"}
    shown = [row for row in rows if row.quantity in series]
    several = settings(shown)
    return tuple(
        Figure(
            key("one-text", *setting),
            f"Attention on one text, before and after{suffix(setting, several)}",
            "Weight of each word, in the mean over seeds. Of the short texts it is the one whose attention "
            "moves, without a repair, as far as in half of them (SEAT, Figure 1).",
            "bars",
            table("bars", [_bar(row, series[row.quantity]) for row in within(shown, setting)]),
            x="weight",
        )
        for setting in several
    )


def _bar(row: Measurement, series: str) -> tuple[Value, ...]:
    number, _, word = row.bin.partition(":")
    return method(row.repair), f"{number}  {short(word, WORD)}", series, row.value, None, None


def _bin(row: Measurement) -> int:
    return int(row.bin.partition("/")[0])


def _point(row: Measurement) -> Curve:
    panel = f"{BINS[_bin(row)]}, {short(row.label, LABEL)}"
    return panel, method(row.repair), row.at or 0.0, row.value, None, None
