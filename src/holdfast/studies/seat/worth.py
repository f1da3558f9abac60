"""Which repair buys most hold for its F1: what each changes against the vanilla model, seed by seed."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.data.reading import listed
from holdfast.measure.question import ends, places
from holdfast.measure.reduce import Interval
from holdfast.studies.seat.names import method
from holdfast.studies.seat.numbers import HOLD, SCORE, by_repair, collapsed, compared, numbers
from holdfast.studies.seat.plan import NONE, SHARED
from holdfast.studies.seat.questions import MARGIN, Question
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.numbers import Numbers, estimate


class Worth(NamedTuple):
    """What a repair changes of the hold and of F1."""

    family: FamilyKey
    hold: Interval
    score: Interval

    @property
    def rose(self) -> bool:
        """Whether hold rose beyond chance."""
        return self.hold.low is not None and self.hold.low > 0

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
        for family in known.values():
            if NONE in known and family.repair != NONE:
                change = _change(table, family, known)
                found += [] if change is None else [change]
    return found


def _change(table: Numbers, family: FamilyKey, known: Mapping[str, FamilyKey]) -> Worth | None:
    pair = (family, known[NONE])
    changes = [
        estimate(table, [Question("", "", what, [pair]).part(pair)], False, False) for what in (HOLD, SCORE)
    ]
    hold, score = changes
    return None if hold is None or score is None else Worth(family, hold.interval(), score.interval())


def sentences(found: Sequence[Worth]) -> list[str]:
    """Which repair buys most hold, of each model on each data set; one teacher for all seeds makes them agree
    by construction, and is not among them."""
    told = []
    for data, model in dict.fromkeys((one.family.data, one.family.model) for one in found):
        some = [one for one in found if (one.family.data, one.family.model) == (data, model)]
        told.append(f"{model} on {data}: {_best([one for one in some if one.family.repair != SHARED])}")
    return told


def _best(found: Sequence[Worth]) -> str:
    good = [one for one in found if one.gains]
    if not good:
        dear = [_said(one) for one in found if one.rose]
        but = f" but {listed(dear)}, which cost more than {MARGIN} of F1" if dear else ""
        return f"no repair raises the hold of attention beyond chance{but}."
    first, *others = sorted(good, key=lambda one: -one.hold.value)
    also = f"; so do {listed([_said(one) for one in others])}" if others else ""
    return f"{_said(first)} raises the hold of attention most{also}."


def _said(one: Worth) -> str:
    hold, score = one.hold, one.score
    gain = f"hold {places(hold.value)}{ends(hold.low, hold.high)}"
    points = f"{100 * score.value:+.1f}".replace("-", "−")
    return f"{method(one.family.repair)} ({gain}, F1 {points} points)"
