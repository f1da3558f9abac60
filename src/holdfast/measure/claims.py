"""Whether a claim of a document came out: one record, one rule and one correction for every study."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple

from holdfast.core.errors import BadRun
from holdfast.measure.estimate import Estimate, p_values
from holdfast.measure.groups import holm
from holdfast.measure.reduce import Interval

LEVEL = 0.05
MEMBERS = "members"
CAME, SMALL, NOT, OPEN = "came out", "too small to matter", "did not come out", "not decided"


@dataclass(frozen=True)
class Claim:
    """A claim of a document, the effect that was measured, and whether it came out: whether the effect is
    above ``above``.

    ``p`` is two-sided, of no effect; ``p_least`` is of an effect of ``least`` or more (a smaller one counts
    as none); ``p_holm`` and ``p_least_holm`` are Holm's. Where all of several numbers must be large enough,
    ``weakest`` names the one that is shown. ``over`` says what the interval is over; ``detail`` marks lines
    by data set, method or model below a claim; ``percent`` shows a share in percent, ``ratio`` says that the
    effect is how many times as large one number is as another, which is 1 where they are equal.

    The other fields say what it is about, where that is one thing: a data set, models, an explainer, a
    ``repair`` (or model) and what it is ``against``, with the number ``before`` and ``after``.
    """

    statement: str
    where: str
    published: str
    effect: Interval
    p: float | None
    p_least: float | None
    p_holm: float | None = None
    p_least_holm: float | None = None
    least: float = 0.0
    above: float = 0.0
    weakest: str = ""
    over: str = MEMBERS
    detail: bool = False
    percent: bool = False
    ratio: bool = False
    data: str = ""
    models: tuple[str, ...] = ()
    explainer: str = ""
    repair: str = ""
    against: str = ""
    before: float | None = None
    after: float | None = None

    @property
    def answer(self) -> str:
        """Came out (beyond chance, and large enough to matter), did not (no effect that matters is left), or
        not decided."""
        if self.p_holm is None or self.p_least_holm is None:
            return OPEN
        effect = self.effect.value - self.above
        if effect > 0 and self.p_holm <= LEVEL:
            return CAME if effect >= self.least else SMALL
        return NOT if self.p_least_holm <= LEVEL else OPEN

    def to_json(self) -> dict[str, Any]:
        """Plain values, the answer too."""
        return asdict(self) | {"answer": self.answer}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Claim":
        """Back from :meth:`to_json`."""
        stored = {name: value for name, value in values.items() if name != "answer"}
        if set(stored) != {field.name for field in fields(cls)}:
            raise BadRun(
                "claims.json: expected the claims of this version of holdfast, but it has other fields: "
                "make them again with holdfast report RUN"
            )
        return cls(**(stored | {"effect": Interval(**stored["effect"]), "models": tuple(stored["models"])}))


class Weakest(NamedTuple):
    """The number of several that decides a claim: its ``place``, all of them (without an error from two
    members, who decide nothing), and both p."""

    place: int
    known: Estimate
    p: float | None
    p_least: float | None


def weakest_of(estimate: Estimate, least: float) -> Weakest:
    """The weakest of the numbers of a claim, all of which must be above 0 and at least ``least``."""
    p, p_least = p_values(estimate, least)
    known = estimate if p is not None else estimate._replace(error=None)
    return Weakest(int(estimate.value.argmin()), known, p, p_least)


def all_corrected(claims: Sequence[Claim]) -> list[Claim]:
    """Both p, each corrected over those that are known."""
    none = iter(holm([claim.p for claim in claims if claim.p is not None]))
    enough = iter(holm([claim.p_least for claim in claims if claim.p_least is not None]))
    return [c if c.p is None else replace(c, p_holm=next(none), p_least_holm=next(enough)) for c in claims]


def details(lines: Sequence[Claim]) -> list[Claim]:
    """The lines below a claim, corrected among themselves; one alone would only repeat the claim."""
    return all_corrected(lines) if len(lines) > 1 else []


def heads_corrected(groups: Iterable[Sequence[Claim]]) -> list[Claim]:
    """Every claim, the first of its group, corrected over the claims; its details behind it as they are."""
    kept = [group for group in groups if group]
    heads = all_corrected([group[0] for group in kept])
    return [line for head, group in zip(heads, kept, strict=True) for line in (head, *group[1:])]
