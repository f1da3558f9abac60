"""What a study found, as plain records: the report and every other view draw these and nothing else."""

from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.study.picture import Picture, without_inputs
from holdfast.study.table import Row


@dataclass(frozen=True)
class Heat:
    """One explainer's heat map of one sentence: scores per member, their consensus, and whether it holds.

    ``lost`` is the share of what the scores should add up to that no word or pixel was given, where there is
    such a total.
    """

    explainer: str
    signed: bool
    scores: tuple[tuple[float, ...], ...]
    consensus: tuple[float, ...]
    hold: float | None
    low: float | None
    high: float | None
    verdict: str
    lost: float | None = None


@dataclass(frozen=True)
class Example:
    """One sentence as every member sees it. ``rationale`` marks the tokens that truly decide, where known."""

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


@dataclass(frozen=True)
class Findings:
    """Everything a report shows.

    ``verdict`` is what ``verdict.json`` holds (the ``--json`` answer without run and seconds); ``plan`` is
    what ``plan.json`` holds; ``command`` repeats the run; ``notes`` are sentences a reader must know
    (truncated texts, members left out, where the vectors came from); ``pictures`` are heat maps of images.
    """

    title: str
    command: str
    plan: dict[str, Any]
    verdict: dict[str, Any]
    rows: tuple[Row, ...]
    examples: tuple[Example, ...]
    notes: tuple[str, ...] = field(default=())
    pictures: tuple[Picture, ...] = ()


def without_text(findings: Findings) -> Findings:
    """The same findings without a word of the data: no sentences, no images, words by their place alone."""
    rows = tuple(
        replace(row, bin=row.bin.partition(":")[0] + ":word") if row.by == "word" else row
        for row in findings.rows
    )
    return replace(findings, rows=rows, examples=(), pictures=without_inputs(findings.pictures))
