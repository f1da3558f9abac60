"""What a study found, as plain records: the report and every other view draw these and nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from holdfast.core.schema import SCHEMA
from holdfast.data.base import Kind
from holdfast.study.answer import Answer, fraction
from holdfast.study.measurement import Measurement
from holdfast.study.picture import Picture

LONGEST_CLASS = 30
LEFT_OUT = "Words, items and images of the data are left out of this report."


@dataclass(frozen=True)
class Standing:
    """How the hold of a new example was measured: against the ``nearest`` impostor; those that could not be
    made, by name, and why; and what the audit of the run says of the explainer."""

    nearest: str | None
    missing: tuple[tuple[str, str], ...] = ()
    in_run: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        missing = [{"impostor": name, "why": why} for name, why in self.missing]
        return {"nearest": self.nearest, "missing": missing, "in_run": self.in_run}


@dataclass(frozen=True)
class Heat:
    """One explainer's heat map of one sentence: scores per member, their consensus, and whether it holds.

    ``agree`` members name the position ``strongest`` as the strongest one, more than any other. ``verdict``
    is a word only where the interval decides it, else "undecided". ``lost`` is the share of what the scores
    should add up to that no word or pixel was given, where there is such a total. ``standing`` is there for a
    new example.
    """

    explainer: str
    signed: bool
    scores: tuple[tuple[float, ...], ...]
    consensus: tuple[float, ...]
    hold: float | None
    low: float | None
    high: float | None
    verdict: str
    strongest: int
    agree: int
    lost: float | None = None
    standing: Standing | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values, those of ``standing`` among them."""
        values = asdict(self) | {name: fraction(getattr(self, name)) for name in ("hold", "low", "high")}
        del values["standing"]
        return values | ({} if self.standing is None else self.standing.to_json())


@dataclass(frozen=True)
class Example:
    """One sentence as every member sees it. ``rationale`` marks the tokens that truly decide, where known;
    ``unknown`` those that no model of the run knows as words of their own (none for items); ``query`` is the
    second text of a pair; ``changes`` says what each perturbation made of it, where one was asked for."""

    data: str
    model: str
    repair: str
    tokens: tuple[str, ...]
    label: str
    target: str
    probabilities: tuple[float, ...]
    seeds: tuple[int, ...]
    heats: tuple[Heat, ...]
    rationale: tuple[bool, ...] | None = None
    unknown: tuple[bool, ...] = ()
    query: str = ""
    changes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast explain --json``."""
        values = asdict(self) | {"heats": [heat.to_json() for heat in self.heats]}
        del values["changes"]  # only an audit perturbs
        return {"schema": SCHEMA} | values


@dataclass(frozen=True)
class Findings:
    """Everything a report shows.

    ``answer`` is what ``verdict.json`` holds (the ``--json`` answer without run and seconds); ``plan`` is
    what ``plan.json`` holds; ``command`` repeats the run; ``notes`` are sentences a reader must know
    (truncated texts, members left out, where the vectors came from); ``pictures`` are heat maps of images;
    ``kind`` says what the data consist of.
    """

    title: str
    command: str
    plan: dict[str, Any]
    answer: Answer
    rows: tuple[Measurement, ...]
    examples: tuple[Example, ...]
    notes: tuple[str, ...] = field(default=())
    pictures: tuple[Picture, ...] = ()
    kind: Kind = "text"


def without_text(findings: Findings) -> Findings:
    """The same findings to share: no sentence, no history, no image and no heat map of one, words by their
    place alone.

    The names of the classes stay, as nobody could read the report without them; where one is longer than
    ``LONGEST_CLASS`` letters it may be a text itself, and all have numbers instead.
    """
    classes, named = _numbers(findings.rows), findings.kind == "columns"  # by tokens that somebody brought
    rows = tuple(_bare(row, classes, named) for row in findings.rows)
    answer, notes = _renamed(findings.answer, classes), (*findings.notes, LEFT_OUT)
    return replace(findings, answer=answer, rows=rows, examples=(), pictures=(), notes=notes)


def _numbers(rows: Iterable[Measurement]) -> dict[str, str]:
    """What classes are called where one has too long a name."""
    classes = {row.label: f"class {int(row.at or 0) + 1}" for row in rows if row.by == "label"}
    return classes if any(len(name) > LONGEST_CLASS for name in classes) else {}


def _renamed(answer: Answer, classes: Mapping[str, str]) -> Answer:
    """The answer with F1 under these names of the classes."""
    f1 = answer.quality.get("f1")
    if f1 is None:
        return answer
    by_class = {classes.get(name, name): value for name, value in f1["by_class"].items()}
    return replace(answer, quality={**answer.quality, "f1": {**f1, "by_class": by_class}})


def _bare(row: Measurement, classes: Mapping[str, str], named: bool) -> Measurement:
    if row.by == "column" and named:
        return replace(row, bin=f"column {int(row.at or 0) + 1}")
    if row.by == "word":
        return replace(row, bin=row.bin.partition(":")[0] + ":word")
    return replace(row, label=classes.get(row.label, row.label))
