"""Images: heat maps beside each other, a column for every seed."""

from typing import Any, ClassVar

from holdfast.report.grids import seed_grids
from holdfast.report.modality import Modality, Room, Unit
from holdfast.study.findings import Findings


class Image(Modality):
    """Reports about images show heat maps of pixels."""

    unit: ClassVar[Unit] = Unit(
        "a pixel",
        "pixels",
        "images",
        "strips",
        "a pixel of the blocks that decide",
        "the blocks that decide",
        example="image",
    )
    template: ClassVar[str] = "images.html"

    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """Heat maps, as many as there is room for."""
        order = list(dict.fromkeys(row.explainer for row in findings.answer.rows))
        grids = seed_grids(findings.pictures, order, room.size)
        return {"images": grids, "left_out": bool(findings.pictures) and not grids}
