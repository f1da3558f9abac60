"""A text that is typed, or two of them."""

from pathlib import Path
from typing import ClassVar

from holdfast.commands.modality import Explained, Modality, Request
from holdfast.core.errors import BadSetting
from holdfast.report.terminal import heat_table
from holdfast.study.explain import explain_text


class Text(Modality):
    """A new text."""

    options: ClassVar[tuple[str, ...]] = ("query",)

    def explain(self, run: Path, request: Request) -> Explained:
        """Word by word."""
        if request.what is None:
            raise BadSetting(f"{run} is a run on texts: expected the text to explain, in quotes")
        asked = request.what, request.query, request.model, request.repair, request.explainers
        return Explained(explain_text(run, *asked), heat_table)
