"""Text: a bar for every seed under each word."""

from typing import Any, ClassVar

from holdfast.report.heat import blocks
from holdfast.report.modality import Modality, Room, Unit
from holdfast.study.findings import Findings


class Text(Modality):
    """Reports about text show heat maps of words."""

    unit: ClassVar[Unit] = Unit(
        "a word", "words", "sentences", "tokens", "a token of the true rationale", "the rationale"
    )
    template: ClassVar[str] = "sentences.html"

    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """Heat maps of words."""
        return {"families": blocks(findings.examples, findings.answer.rows, room.bars, self.unit)}
