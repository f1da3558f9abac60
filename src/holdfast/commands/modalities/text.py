"""Texts that are typed, or the lines of a file."""

from functools import partial
from pathlib import Path
from typing import BinaryIO, ClassVar

from holdfast.commands.modality import Explained, Modality, Request, skipped_note
from holdfast.commands.texts import Texts, read_texts
from holdfast.core.errors import BadSetting
from holdfast.report.explained import draw_beside, page_path
from holdfast.report.explained_texts import render_texts
from holdfast.report.modality import modality as drawn
from holdfast.report.terminal import heat_table
from holdfast.study.explain import explain_text, explain_texts


class Text(Modality):
    """New texts."""

    options: ClassVar[tuple[str, ...]] = ("query", "file")

    def explain(self, run: Path, request: Request) -> Explained:
        """Word by word."""
        page_path(run, request.out)
        wanted = request.query, request.model, request.repair, request.explainers
        if request.file is None:
            examples, skipped = [explain_text(run, _typed(run, request.what), *wanted)], None
        else:
            given = _lines(request.file, request)
            examples, skipped = explain_texts(run, given.texts, *wanted), given.skipped
        render = partial(render_texts, examples, drawn("text").unit, skipped_note(skipped or 0))
        page = draw_beside(render(), run, request.out)
        return Explained(tuple(examples), heat_table, partial(render, cell=True), page, skipped)


def _typed(run: Path, text: str | None) -> str:
    if text is None:
        raise BadSetting(
            f"{run} is a run on texts: expected the text to explain, in quotes, or --file with one a line"
        )
    return text


def _lines(file: Path | BinaryIO, request: Request) -> Texts:
    if request.what is not None:
        raise BadSetting("expected a text or --file, but got both: leave one out")
    if request.query is not None:
        raise BadSetting("--query is the second text of one pair: leave --file out")
    return read_texts(file)
