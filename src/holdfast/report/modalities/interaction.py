"""Interactions: a bar for every seed under each item of a history."""

from collections.abc import Sequence
from typing import Any, ClassVar

from holdfast.report.charts.confidence import scoring_pairs
from holdfast.report.charts.select import select
from holdfast.report.heat import blocks
from holdfast.report.modality import Modality, Room, Unit
from holdfast.report.texts import RECALL
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement

RANKED = (
    "Confidence is the probability of the first recommendation, by a softmax over its candidates; it is "
    "right where that is the item that came next."
)
PAIRED = (
    "A model of pairs says of each candidate by itself whether the user takes it: its confidence is the "
    "probability of that answer, taken or not taken (of three classes: liked or not), and only the item that "
    "came next counts as taken. "
    "Holds stand at the probability that the recommended item is taken."
)


class Interaction(Modality):
    """Reports about recommenders show heat maps of items."""

    unit: ClassVar[Unit] = Unit(
        "an item",
        "items",
        "histories",
        "items",
        "an item that decides",
        "the items that decide",
        truly="truly next:",
        example="history",
        metric=RECALL,
    )
    template: ClassVar[str] = "sentences.html"

    def confidence(self, rows: Sequence[Measurement]) -> str:
        """A ranking has one answer for each history, a model of pairs one for each candidate."""
        families = {row.family for row in select(rows, "reliability", "confidence")}
        pairs = scoring_pairs(rows)
        return " ".join([RANKED] * bool(families - pairs) + [PAIRED] * bool(pairs))

    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """Heat maps of items."""
        return {"families": blocks(findings.examples, findings.answer.rows, room.bars, self.unit)}
