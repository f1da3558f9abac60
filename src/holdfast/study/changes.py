"""What changed between two families: hold by hold, and what it costs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from holdfast.core.schema import SCHEMA
from holdfast.measure.reduce import Interval
from holdfast.measure.statistics import Paired
from holdfast.study.answer import ExplainerVerdict, fraction
from holdfast.study.headline import said
from holdfast.study.worth import Cost, told


@dataclass(frozen=True)
class Side:
    """One of two families that are compared; ``others`` is how many more its run has, where nobody chose."""

    run: str
    model: str
    repair: str
    others: int = 0

    def __str__(self) -> str:
        return f"{self.model}, {self.repair} ({self.run})"

    @property
    def note(self) -> str:
        """Which family it is, where there was a choice."""
        if not self.others:
            return ""
        return (
            f"{self.run} has {self.others + 1} families; compared is {self.model} with repair {self.repair}: "
            "choose another with --model and --repair."
        )


@dataclass(frozen=True)
class Change:
    """How the hold of one explainer changed.

    ``before`` and ``after`` are the holds over the seeds that both have, ``hold`` their paired change;
    ``verdicts`` are those of the two runs' audits. ``moved`` is how far the very same seed's explanation
    moved (Jensen–Shannon: 0 is not at all, ln 2 is entirely), where both explain the same class.
    ``lacking`` are impostors that one side has for too few examples, and which side that is: neither hold is
    measured against them, as two holds against different opponents cannot be compared.
    """

    explainer: str
    before: Interval
    after: Interval
    hold: Paired
    verdicts: tuple[str, str]
    moved: Interval | None = None
    lacking: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        rows: tuple[ExplainerVerdict, ExplainerVerdict],
        holds: tuple[Interval, Interval],
        hold: Paired,
        moved: Interval | None,
        lacking: Mapping[str, str],
    ) -> "Change":
        """The change between two rows of answers."""
        return cls(rows[0].explainer, *holds, hold, (rows[0].verdict, rows[1].verdict), moved, lacking)

    @property
    def notes(self) -> list[str]:
        """Against which impostors it is not measured, and why."""
        return [
            f"Hold of {said(self.explainer)}: the impostor “{name}” is left out on both sides, as too few of "
            f"these examples have one {side}."
            for name, side in self.lacking.items()
        ]

    def to_json(self) -> dict[str, Any]:
        """Plain values; holds lie between 0 and 1."""
        sides = zip(("before", "after"), self.verdicts, (self.before, self.after), strict=True)
        gain = self.hold.difference
        return (
            {"explainer": self.explainer}
            | {name: {"verdict": word, **_held(interval)} for name, word, interval in sides}
            | {"change": {"value": gain.value, "low": gain.low, "high": gain.high, "p": self.hold.p}}
            | {"moved": None if self.moved is None else asdict(self.moved), "lacking": dict(self.lacking)}
        )


@dataclass(frozen=True)
class Changes:
    """What changed between two families on the same data: the hold of each explainer, the one that decides
    first, and the ``quality``, called ``metric``; ``cost`` is what a repair is weighed against, where that is
    another score."""

    before: Side
    after: Side
    seeds: int
    instances: int
    rows: tuple[Change, ...]
    metric: str
    quality: Paired
    cost: Cost | None = None

    @property
    def worse(self) -> bool:
        """Whether the whole interval of the deciding change of hold lies below 0."""
        high = self.rows[0].hold.difference.high
        return high is not None and high < 0

    @property
    def sentence(self) -> str:
        """The answer."""
        row, paid = self.rows[0], self.cost or Cost(self.metric, self.quality)
        sentence = told(row.explainer, row.verdicts, row.hold, paid)
        return sentence[:1].upper() + sentence[1:] if sentence.startswith("the ") else sentence

    @property
    def notes(self) -> tuple[str, ...]:
        """Which families are compared, where there was a choice, and against which impostors they are not."""
        sides = [side.note for side in (self.before, self.after) if side.note]
        if self.before == self.after:
            sides.append("Both sides are the same family of the same run: nothing can have changed.")
        return tuple(dict.fromkeys([*sides, *(note for row in self.rows for note in row.notes)]))

    def to_json(self) -> dict[str, Any]:
        """Plain values, as ``holdfast compare --json`` prints them."""
        return {
            "schema": SCHEMA,
            "sentence": self.sentence,
            "worse": self.worse,
            "decides": self.rows[0].explainer,
            "before": asdict(self.before),
            "after": asdict(self.after),
            "seeds": self.seeds,
            "instances": self.instances,
            "rows": [row.to_json() for row in self.rows],
            "quality": _scored(self.metric, self.quality),
            "notes": list(self.notes),
        } | ({} if self.cost is None else {"cost": _scored(*self.cost)})


def _scored(metric: str, score: Paired) -> dict[str, Any]:
    change = score.difference
    ends = {"value": change.value, "low": change.low, "high": change.high, "p": score.p}
    return {"metric": metric, "before": score.before, "after": score.after, "change": ends}


def _held(hold: Interval) -> dict[str, float | None]:
    ends = {"hold": hold.value, "low": hold.low, "high": hold.high}
    return {name: fraction(end) for name, end in ends.items()}
