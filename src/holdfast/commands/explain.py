"""Explaining something new with every seed of a finished run: texts, an image, a user's recommendations."""

from pathlib import Path
from typing import BinaryIO

from holdfast.commands.audited import Audited, folder_of
from holdfast.commands.modality import Explained, Request, answer
from holdfast.commands.plan import Methods, methods


def explain(
    run: Path | str | Audited,
    what: str | None = None,
    query: str | None = None,
    user: str | None = None,
    count: int | None = None,
    row: int | None = None,
    model: str | None = None,
    repair: str | None = None,
    explainer: Methods = None,
    out: Path | str | None = None,
    file: Path | str | BinaryIO | None = None,
) -> Explained:
    """Explain a new example with every seed of a run: each one's view, the consensus, and whether it holds.

    ``run`` is the folder of a finished run, or what :func:`holdfast.audit` returned. ``what`` is the text
    (``query``: the second of a pair), or a file of images or a table, of which ``row`` is explained; without
    a file, ``row`` is one of the run's own test split. ``file`` has several texts, one a line. ``user`` is
    whose ``count`` recommendations are explained. All is drawn on the page ``out`` (default: ``explain.html``
    in the run); a notebook shows it, and ``print`` has it as text.
    """
    page, explainers = None if out is None else Path(out), methods("explainers", explainer) or None
    lines = Path(file) if isinstance(file, str) else file
    return answer(
        folder_of(run), Request(what, query, user, count, row, model, repair, explainers, page, lines)
    )
