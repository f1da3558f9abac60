"""Tables: signed bars for the columns of a row, with a dot for every member."""

from typing import Any, ClassVar

from holdfast.report.bars import bar_rows
from holdfast.report.modality import Modality, Room, Unit
from holdfast.study.findings import Findings


class Features(Modality):
    """Reports about tables show what each column adds."""

    unit: ClassVar[Unit] = Unit(
        "a column",
        "columns",
        "rows",
        "columns",
        "a column that decides",
        "the columns that decide",
        example="row",
    )
    template: ClassVar[str] = "rows.html"

    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """Rows with their bars."""
        return {"families": bar_rows(findings.examples, findings.answer.rows, room.bars, self.unit)}
