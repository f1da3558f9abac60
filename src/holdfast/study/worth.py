"""Is a repair worth it? What it gives, hold, beside what it costs, macro-F1 or recall: one sentence."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holdfast.measure.question import places
from holdfast.measure.reduce import Interval
from holdfast.measure.statistics import Paired, paired, paired_hold
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.evidence import Evidence
from holdfast.study.f1 import score_of
from holdfast.study.headline import family_name, said
from holdfast.study.result import FamilyResult

MARGIN = 0.008  # of F1: the most that SEAT loses in its paper
EMPTY = {"says nothing": "{} says nothing", "not learned": "the models have not learned"}


class Cost(NamedTuple):
    """What a repair may cost: a score by its name, before and after."""

    metric: str
    score: Paired


def cost_of(before: FamilyResult, after: FamilyResult) -> Cost:
    """The score of the members that both families have, seed by seed."""
    common = [member for member in before.members if member in after.members]
    (metric, one), (_, two) = score_of(before), score_of(after)
    places = [[family.members.index(m) for m in common] for family in (before, after)]
    return Cost(metric, paired(one[places[0]], two[places[1]]))


def worth(hold: Interval, cost: Interval, metric: str = "macro-F1") -> str:
    """Whether it is worth it. It must raise the hold beyond chance; a score that falls for certain, by more
    than 0.8 points, is a price.

    >>> rise, none = Interval(0.2, 0.1, 0.3, 10), Interval(0.0, -0.1, 0.1, 10)
    >>> loss, even = Interval(-0.03, -0.04, -0.02, 10), Interval(0.0, -0.01, 0.01, 10)
    >>> worth(rise, even), worth(none, even)
    ('so it is worth it', 'so it is not shown to be worth it')
    >>> worth(none, loss), worth(rise, loss)
    ('so it costs more than it gives', 'so the hold is paid for with macro-F1')
    """
    rose, fell = hold.low is not None and hold.low > 0, hold.high is not None and hold.high < 0
    paid = cost.high is not None and cost.high < -MARGIN
    if fell or (paid and not rose):
        return "so it costs more than it gives"
    if not rose:
        return "so it is not shown to be worth it"
    return f"so the hold is paid for with {metric}" if paid else "so it is worth it"


def told(explainer: str, verdicts: tuple[str, str], hold: Paired, cost: Cost) -> str:
    """How the hold of an explainer changed, what that cost, and whether it is worth it."""
    gain, name, price = hold.difference, said(explainer), cost.score.difference
    points = f"{round(100 * price.value, 1) + 0.0:+.1f}".replace("-", "−")  # no −0.0
    paid = f"{cost.metric} changed by {points} points ({ends(price, 100)})"
    when = list(zip(("before", "after"), verdicts, strict=True))
    for word, is_so in EMPTY.items():
        if times := [time for time, verdict in when if verdict == word]:
            empty = f"{is_so.format(name)} {' and '.join(times)}"
            return f"{empty}, so the hold cannot be compared; {paid}."
    sure = gain.low is not None and gain.high is not None and (gain.low > 0 or gain.high < 0)
    unsure = "may have changed" if gain.low is None else "did not change beyond chance"
    change = ("rose" if gain.value > 0 else "fell") if sure else unsure
    before, after = (places(max(value, 0.0)) for value in (hold.before, hold.after))
    held = f"the hold of {name} {change}: {before} before, {after} after ({ends(gain)})"
    return f"{held}; {paid}, {worth(gain, price, cost.metric)}."


def ends(interval: Interval, scale: float = 1) -> str:
    """The ends of a change, in words.

    >>> ends(Interval(0.5, 0.25, 0.75, 3)), ends(Interval(0.5, None, None, 2))
    ('95 % interval +0.25 to +0.75', 'no interval from two seeds')
    """
    if interval.low is None or interval.high is None:
        return "no interval from two seeds"
    return f"95 % interval {scale * interval.low:+.2f} to {scale * interval.high:+.2f}".replace("-", "−")


def worths(
    families: Sequence[FamilyResult], evidences: Sequence[Evidence], rows: Sequence[ExplainerVerdict]
) -> Iterator[str]:
    """A sentence for every repair that has a family without one beside it, about the explainer that is best
    without it; ``rows`` are the verdicts, the best first."""
    every = list(zip(families, evidences, strict=True))
    for plain, before in every:
        for repaired, after in every:
            beside = (plain.data, plain.model) == (repaired.data, repaired.model)
            if not beside or plain.repair != "none" or repaired.repair == "none":
                continue
            if len(set(plain.members) & set(repaired.members)) < 2:
                continue
            verdicts = [_verdicts(family, rows) for family in (plain, repaired)]
            name = next((one for one in verdicts[0] if one in verdicts[1]), None)
            if name is not None:
                hold = paired_hold(before.scales[name], after.scales[name])
                words = verdicts[0][name], verdicts[1][name]
                yield f"{family_name(repaired)}: {told(name, words, hold, cost_of(plain, repaired))}"


def _verdicts(family: FamilyResult, rows: Sequence[ExplainerVerdict]) -> dict[str, str]:
    own = (family.data, family.model, family.repair)
    return {row.explainer: row.verdict for row in rows if (row.data, row.model, row.repair) == own}
