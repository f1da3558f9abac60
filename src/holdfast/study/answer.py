"""The answer of an audit: the verdict on every explainer, which of them to show, and what to do."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from holdfast.core.errors import BadRun
from holdfast.core.schema import SCHEMA
from holdfast.measure.question import HOLDS, Question

FRACTIONS = ("learned", "says", *HOLDS)
"""Questions whose numbers lie between 0 and 1; the share of leave-one-out's gain may be more, or negative."""


@dataclass(frozen=True)
class ExplainerVerdict:
    """The verdict on one explainer of one family.

    ``nearest`` is the impostor that the hold is measured against, ``against`` the hold against each.
    ``concentration`` is the share of the consensus' weight on the top tenth of the positions, ``even`` what
    it would be if all weighed alike; ``same_strongest`` is the share of pairs of members that name the same
    strongest position.
    """

    data: str
    model: str
    repair: str
    explainer: str
    verdict: str
    between: tuple[str, ...]
    reason: str
    questions: tuple[Question, ...]
    nearest: str | None = None
    hold: float | None = None
    low: float | None = None
    high: float | None = None
    against: Mapping[str, float] | None = None
    concentration: float | None = None
    even: float | None = None
    same_strongest: float | None = None
    settle: int | None = None

    @property
    def passes(self) -> bool:
        """Whether no question fails and none is undecided."""
        return self.verdict == "holds"

    @property
    def deciding(self) -> Question | None:
        """The first question that fails or is undecided; a survival that cannot be asked decides too."""
        stops = (("failed", "undecided"), ("failed", "undecided", "not asked"))
        return next(
            (q for q in self.questions if q.answer in stops[q.name == "survives"] and q.decides), None
        )

    @property
    def changed(self) -> Question | None:
        """The question whether it survives a small change of the input, where that decides."""
        asked = self.deciding
        return asked if asked is not None and asked.name == "survives_change" else None

    def question(self, name: str) -> Question | None:
        """The question of that name."""
        return next((question for question in self.questions if question.name == name), None)


@dataclass(frozen=True)
class Decides:
    """Which model, repair and explainer the headline is about."""

    model: str
    repair: str
    explainer: str


@dataclass(frozen=True)
class Members:
    """How many members trained, which were left out and why, and which explain otherwise than the rest."""

    trained: int
    left_out: tuple[Mapping[str, Any], ...] = ()
    odd: tuple[int, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What an audit answers.

    ``headline`` is the verdict with its subject, ``do`` one sentence of what to do next; ``rows`` are all
    verdicts, the deciding one first; ``quality`` is how good the models are, in plain values; ``worth`` has
    a sentence for every repair: is it worth it?
    """

    verdict: str
    between: tuple[str, ...]
    headline: str
    reason: str
    do: str
    decides: Decides | None
    rows: tuple[ExplainerVerdict, ...]
    quality: Mapping[str, Any]
    members: Members
    worth: tuple[str, ...] = ()

    @property
    def row(self) -> ExplainerVerdict | None:
        """The row that decides."""
        return self.rows[0] if self.decides is not None and self.rows else None

    def row_of(self, explainer: str) -> ExplainerVerdict | None:
        """The first row of an explainer."""
        return next((row for row in self.rows if row.explainer == explainer), None)

    def to_json(self) -> dict[str, Any]:
        """Plain values: what ``verdict.json`` holds. Fractions lie between 0 and 1."""
        values = {"schema": SCHEMA} | asdict(replace(self, rows=()))
        return {name: _listed(value) for name, value in (values | {"rows": map(_plain, self.rows)}).items()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Answer":
        """Back from :meth:`to_json`."""
        if values.get("schema") != SCHEMA:
            came = values.get("schema")
            raise BadRun(
                f"verdict.json: expected schema {SCHEMA}, but got {came}: run the audit with --fresh"
            )
        given = {field.name: values[field.name] for field in fields(cls) if field.name in values}
        rows = tuple(_row(row) for row in given["rows"])
        decides = None if given["decides"] is None else Decides(**given["decides"])
        members = given["members"]
        lists = {name: tuple(members[name]) for name in ("left_out", "odd")}
        made = {"rows": rows, "decides": decides, "members": Members(members["trained"], **lists)}
        made |= {"worth": tuple(values.get("worth", ()))}
        return cls(**(given | made | {"between": tuple(given["between"])}))


def _plain(row: ExplainerVerdict) -> dict[str, Any]:
    """One row; a hold below 0 is no better than an impostor, which is 0."""
    questions = [asdict(question) for question in row.questions]
    for question in questions:
        if question["name"] in FRACTIONS:
            question |= {name: fraction(question[name]) for name in ("value", "low", "high")}
    shares = {name: fraction(getattr(row, name)) for name in ("hold", "low", "high")}
    against = None if row.against is None else {name: fraction(value) for name, value in row.against.items()}
    return asdict(replace(row, questions=())) | shares | {"against": against, "questions": questions}


def _row(values: Mapping[str, Any]) -> ExplainerVerdict:
    questions = tuple(Question(**(q | {"words": tuple(q["words"])})) for q in values["questions"])
    return ExplainerVerdict(**(dict(values) | {"questions": questions, "between": tuple(values["between"])}))


def _listed(value: Any) -> Any:
    """As JSON has it: lists, and no tuples."""
    if isinstance(value, Mapping):
        return {name: _listed(one) for name, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, tuple | list | map) else value


def fraction(value: float | None) -> float | None:
    """A hold as a fraction: one below 0 is no better than an impostor, which is 0."""
    return None if value is None else min(max(value, 0.0), 1.0)
