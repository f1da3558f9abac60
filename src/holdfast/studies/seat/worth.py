"""Which repair buys most hold for its F1: what each changes against the vanilla model, seed by seed."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.data.reading import listed
from holdfast.measure.claims import LEVEL
from holdfast.measure.estimate import p_values
from holdfast.measure.groups import holm
from holdfast.measure.question import ends, places
from holdfast.measure.reduce import Interval
from holdfast.studies.seat.names import method
from holdfast.studies.seat.numbers import HOLD, SCORE, by_repair, collapsed, compared, numbers
from holdfast.studies.seat.plan import NONE, SHARED
from holdfast.studies.seat.questions import MARGIN, Question
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.numbers import Numbers, estimate


class Worth(NamedTuple):
    """What a repair changes of the hold and of F1; ``p`` is that of no change of the hold, by Holm among the
    repairs of a model that compete."""

    family: FamilyKey
    hold: Interval
    score: Interval
    p: float | None = None

    @property
    def rose(self) -> bool:
        """Whether hold rose beyond chance."""
        return self.hold.value > 0 and self.p is not None and self.p <= LEVEL

    @property
    def competes(self) -> bool:
        """Whether seeds could disagree: one teacher for all makes them agree by construction."""
        return self.family.repair != SHARED

    @property
    def gains(self) -> bool:
        """Whether it did, and F1 did not fall by more than the margin for certain."""
        fell = self.score.high is not None and self.score.high < -MARGIN
        return self.rose and not fell


def worths(rows: Sequence[Measurement]) -> list[Worth]:
    """Every repair that was compared with the vanilla model."""
    table, lost = numbers(rows), collapsed(rows)
    families = [family for family in compared(rows) if family not in lost]
    found = []
    for place in dict.fromkeys((family.data, family.model) for family in families):
        known = by_repair([one for one in families if (one.data, one.model) == place], place[1])
        others = [family for family in known.values() if NONE in known and family.repair != NONE]
        found += _corrected([one for family in others if (one := _change(table, family, known)) is not None])
    return found


def _change(table: Numbers, family: FamilyKey, known: Mapping[str, FamilyKey]) -> Worth | None:
    pair = (family, known[NONE])
    hold, score = (
        estimate(table, [Question("", "", what, [pair]).part(pair)], False, False) for what in (HOLD, SCORE)
    )
    if hold is None or score is None:
        return None
    held, scored = (one.interval().within(-1.0, 1.0) for one in (hold, score))
    return Worth(family, held, scored, p_values(hold, 0.0)[0])


def _corrected(found: Sequence[Worth]) -> list[Worth]:
    """Of so many repairs one may rise by chance."""
    known = {one.family: one.p for one in found if one.competes and one.p is not None}
    ps = dict(zip(known, holm(list(known.values())), strict=True))
    return [one._replace(p=ps.get(one.family)) for one in found]


def sentences(found: Sequence[Worth]) -> list[str]:
    """Which repair buys most hold, of each model on each data set, among those that compete."""
    told = []
    for data, model in dict.fromkeys((one.family.data, one.family.model) for one in found):
        some = [one for one in found if (one.family.data, one.family.model) == (data, model)]
        told.append(f"{model} on {data}: {_best([one for one in some if one.competes])}")
    return told


def _best(found: Sequence[Worth]) -> str:
    good = [one for one in found if one.gains]
    if not good:
        dear = [_said(one) for one in found if one.rose]
        cost = "costs" if len(dear) == 1 else "cost"
        but = f" but {listed(dear)}, which {cost} more than {MARGIN} of F1" if dear else ""
        return f"no repair raises the hold of attention beyond chance{but}."
    first, *others = sorted(good, key=lambda one: -one.hold.value)
    does = "so does" if len(others) == 1 else "so do"
    also = f"; {does} {listed([_said(one) for one in others])}" if others else ""
    return f"{_said(first)} raises the hold of attention most{also}."


def _said(one: Worth) -> str:
    hold, score = one.hold, one.score
    gain = f"hold {places(hold.value)}{ends(hold.low, hold.high)}"
    points = f"{100 * score.value:+.1f}".replace("-", "−")
    return f"{method(one.family.repair)} ({gain}, F1 {points} points)"
