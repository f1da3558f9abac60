"""A comparison that nobody trained for."""

from typing import Any

from holdfast.measure.reduce import Interval
from holdfast.measure.statistics import Paired
from holdfast.study.changes import Change, Changes, Side


def change(
    explainer: str = "gradient_input",
    ends: tuple[float | None, float | None] = (0.05, 0.25),
    verdicts: tuple[str, str] = ("does not hold", "shaky"),
) -> Change:
    """A hold that rises from 0.35 to 0.5."""
    before, after = Interval(0.35, 0.3, 0.4, 10), Interval(0.5, -0.1, 1.1, 10)
    gain = Paired(0.35, 0.5, Interval(0.15, *ends, 10), 0.02)
    return Change(explainer, before, after, gain, verdicts, Interval(0.1, 0.05, 0.2, 10))


def changes(*rows: Change, **about: Any) -> Changes:
    """Two families, and what changed."""
    cost = Paired(0.84, 0.83, Interval(-0.01, -0.02, 0.0, 10), 0.1)
    sides = {"before": Side("one", "cnn", "none"), "after": Side("two", "cnn", "aswa", 2)}
    known = {"seeds": 10, "instances": 200, "metric": "accuracy", "quality": cost}
    return Changes(rows=rows or (change(),), **(sides | known | about))
