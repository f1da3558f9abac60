"""What is recommended to a user, and why."""

from dataclasses import asdict, dataclass
from typing import Any

from holdfast.core.schema import SCHEMA
from holdfast.study.answer import fraction
from holdfast.study.findings import Standing
from holdfast.study.neighbours import Neighbour, Neighbourhood, Taken
from holdfast.study.reasons import Reason

NONE = ("does not hold",)  # of which no reason is named
UNEXPLAINED = ""  # the verdict where the model reads no history


def has_reasons(verdict: str) -> bool:
    """Whether there are reasons that another training would give again."""
    return verdict not in (*NONE, UNEXPLAINED)


@dataclass(frozen=True)
class Recommendation:
    """One recommended item: how many seeds have it among their own first, what speaks for it and against it,
    and whether that would still be there after another training; where it would not, no reason is named.
    ``agree`` seeds name the item ``strongest`` as the one that counts most. ``near`` are items of the history
    with vectors near its own; ``taken`` says how many of the users near this one took it.
    """

    item: str
    wanted: int
    reasons: tuple[Reason, ...]
    against: tuple[Reason, ...]
    hold: float | None
    low: float | None
    high: float | None
    verdict: str
    strongest: str = ""
    agree: int = 0
    standing: Standing | None = None
    near: tuple[Neighbour, ...] = ()
    taken: Taken | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values, those of ``standing`` among them."""
        values = asdict(self) | {name: fraction(getattr(self, name)) for name in ("hold", "low", "high")}
        del values["standing"]
        return values | ({} if self.standing is None else self.standing.to_json())

    @property
    def has_reasons(self) -> bool:
        """Whether there are reasons that another training would give again."""
        return has_reasons(self.verdict)


@dataclass(frozen=True)
class UserExample:
    """What is recommended to a user, and why; ``cut`` is how many older items the models do not see. Reasons
    of an explainer that is not ``signed`` are what counts most, be it for or against; no explainer is named
    where the model reads no history. ``neighbours`` are there where users have vectors."""

    data: str
    model: str
    repair: str
    user: str
    history: tuple[str, ...]
    cut: int
    explainer: str
    signed: bool
    seeds: tuple[int, ...]
    recommendations: tuple[Recommendation, ...]
    neighbours: Neighbourhood | None = None

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast explain --json``."""
        return (
            {"schema": SCHEMA}
            | asdict(self)
            | {"recommendations": [r.to_json() for r in self.recommendations]}
        )
