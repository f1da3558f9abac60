"""What a repair gains, and what it costs."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.select import key, select, settings, suffix, within, words
from holdfast.study.measurement import Measurement


def gain(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Hold gained over training without repair, per explainer.

    >>> [figure] = gain([Measurement("d", "m", "aswa", "gain", 0.1, explainer="attention")])
    >>> figure.marks
    (0.0,)
    """
    chosen = select(rows, "gain")
    several = settings(chosen)
    return tuple(
        Figure(
            key("gain", *setting),
            f"Hold gained{suffix(setting, several)}",
            "Hold with the repair minus hold without; right of 0 it helps. 95 % intervals over seeds.",
            "dots",
            table(
                "dots",
                [("", words(r.explainer), r.repair, r.value, r.low, r.high) for r in within(chosen, setting)],
            ),
            x="gain in hold (higher is better)",
            marks=(0.0,),
        )
        for setting in several
    )


def cost(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Accuracy lost against training without repair."""
    chosen = select(rows, "cost")
    several = settings(chosen)
    return tuple(
        Figure(
            key("cost", *setting),
            f"Accuracy given up{suffix(setting, several)}",
            "Accuracy without the repair minus accuracy with it; right of 0 it costs. 95 % intervals.",
            "dots",
            table("dots", [("", r.repair, "", r.value, r.low, r.high) for r in within(chosen, setting)]),
            x="accuracy lost (lower is better)",
            marks=(0.0,),
        )
        for setting in several
    )
