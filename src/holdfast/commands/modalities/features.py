"""A row of a table of one's own, or of the run's own test rows."""

from functools import partial
from pathlib import Path
from typing import ClassVar

from holdfast.commands.modality import Explained, Modality, Request
from holdfast.report.explained import draw_beside, page_path
from holdfast.report.explained_row import render_row
from holdfast.report.modality import modality as drawn
from holdfast.report.terminal import heat_table
from holdfast.study.explain_row import explain_row


class Features(Modality):
    """A new row, or one of the run's own."""

    options: ClassVar[tuple[str, ...]] = ("row",)

    def explain(self, run: Path, request: Request) -> Explained:
        """Column by column."""
        page_path(run, request.out)
        unit = drawn("features").unit
        file = None if request.what is None else Path(request.what)
        example = explain_row(run, file, request.row, request.model, request.repair, request.explainers)
        page = draw_beside(render_row(example, unit), run, request.out)
        cell = partial(render_row, example, unit, cell=True)
        return Explained((example,), partial(heat_table, one=unit.name), cell, page)
