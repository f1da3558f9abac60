"""Interactions: a bar for every seed under each item of a history."""

from typing import Any, ClassVar

from holdfast.report.heat import blocks
from holdfast.report.modality import Modality, Room, Unit
from holdfast.report.texts import RECALL
from holdfast.study.findings import Findings


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
    confidence: ClassVar[str] = (
        "Confidence is the probability of the first recommendation, by a softmax over its candidates; it is "
        "right where that is the item that came next."
    )

    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """Heat maps of items."""
        return {"families": blocks(findings.examples, findings.answer.rows, room.bars, self.unit)}
