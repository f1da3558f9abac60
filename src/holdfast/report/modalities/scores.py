"""Scores that somebody brought: a bar for every member under each position."""

from collections.abc import Collection
from typing import Any, ClassVar

from holdfast.report.heat import blocks
from holdfast.report.modality import Modality, Room, Unit
from holdfast.study.findings import Findings


class Scores(Modality):
    """Reports about scores that somebody brought show heat maps of positions, by their names."""

    unit: ClassVar[Unit] = Unit(
        "a position",
        "positions",
        "examples",
        "positions",
        "a position that decides",
        "what decides",
        example="example",
    )
    template: ClassVar[str] = "sentences.html"
    # an explainer of another library may have the name of one of ours, and be another
    described: ClassVar[Collection[str]] = ("comparisons",)

    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """Heat maps of positions."""
        return {"families": blocks(findings.examples, findings.answer.rows, room.bars, self.unit)}
