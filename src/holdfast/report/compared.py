"""The page of a comparison: every explainer before and after, the paired change, and what it costs."""

from holdfast.measure.reduce import Interval
from holdfast.measure.statistics import Paired
from holdfast.report.charts.select import words
from holdfast.report.html import render_page
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import badge, number
from holdfast.study.changes import Change, Changes
from holdfast.study.worth import Cost

READ = (
    "Hold is how much of an explanation another seed keeps: 1 is the same again, 0 is no closer than the "
    "nearest impostor, an explanation that knows nothing. Both holds are over the seeds and against the "
    "impostors that both sides have, and the interval is of the change itself: the same seed is left out of "
    "both sides. An interval that includes 0 leaves the question open. Verdicts are those of each run's own "
    "audit; p is Wilcoxon's. How far the same seed moved is the Jensen–Shannon divergence between its "
    "explanations before and after: 0 where they stayed, 0.69 where nothing is left."
)


def render_changes(changes: Changes, cell: bool = False) -> str:
    """One offline page, or a notebook's cell; the same bytes for the same comparison."""
    return render_page(
        "Before and after",
        [changes.sentence, f"Before: {changes.before}. After: {changes.after}.", *changes.notes],
        [
            Section("Does it hold better?", tables=[_holds(changes), _verdicts(changes)]),
            Section("What it costs", tables=[_cost(changes)]),
            Section("How to read this", READ),
        ],
        cell=cell,
    )


def signed(change: Interval, scale: float = 1, digits: int = 2) -> str:
    """A change with its sign and its interval.

    >>> signed(Interval(-0.05, -0.11, 0.01, 10))
    '−0.05 [−0.11, +0.01]'
    """
    value = _plus(scale * change.value, digits)
    if change.low is None or change.high is None:
        return value
    return f"{value} [{_plus(scale * change.low, digits)}, {_plus(scale * change.high, digits)}]"


def _plus(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _holds(changes: Changes) -> Table:
    columns = ("explainer", "before", "after", "change")
    about = f"Hold over {changes.seeds} seeds and {changes.instances} examples that both have."
    return Table(columns, tuple(map(_hold, changes.rows)), caption=about)


def _hold(row: Change) -> tuple[Entry, ...]:
    before, after = (Span(one.value, one.low, one.high, scaled=True) for one in (row.before, row.after))
    return words(row.explainer), before, after, signed(row.hold.difference)


def _verdicts(changes: Changes) -> Table:
    columns = ("explainer", "before", "after", "p of the change", "same seed moved")
    return Table(columns, tuple(map(_verdict, changes.rows)), title="Verdicts")


def _verdict(row: Change) -> tuple[Entry, ...]:
    moved = number(None if row.moved is None else row.moved.value)
    return words(row.explainer), *map(badge, row.verdicts), number(row.hold.p, 3), moved


def _cost(changes: Changes) -> Table:
    scores = [Cost(changes.metric, changes.quality), *filter(None, [changes.cost])]
    each = {one.metric: _scored(*one) for one in scores}
    return Table(("metric", "before", "after", "change", "p"), tuple(each.values()))


def _scored(metric: str, score: Paired) -> tuple[Entry, ...]:
    sides = (Span(value, share=True) for value in (score.before, score.after))
    return metric, *sides, f"{signed(score.difference, 100, 1)} points", number(score.p, 3)
