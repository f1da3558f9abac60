"""Two numbers of several things against each other: what one costs in terms of the other."""

from collections.abc import Iterable

from holdfast.measure.reduce import Interval
from holdfast.report.charts.base import Figure, table


def trade(
    key: str,
    title: str,
    caption: str,
    things: Iterable[tuple[str, Interval, Interval]],
    axes: tuple[str, str],
) -> Figure:
    """A named point for each thing, both of its numbers with their intervals.

    >>> one = Interval(0.8, 0.7, 0.9, 10)
    >>> trade("k", "", "", [("aswa", one, one)], ("F1", "hold")).data["label"]
    ('aswa',)
    """
    rows = [
        (name, across.value, across.low, across.high, up.value, up.low, up.high)
        for name, across, up in things
    ]
    return Figure(key, title, caption, "crosses", table("crosses", rows), x=axes[0], y=axes[1])
