"""Explaining something new with every seed of a finished run: a text, an image, a user's recommendations."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import RenderableType

from holdfast.commands.plan import Methods, methods
from holdfast.core.errors import BadSetting
from holdfast.report.explained import page_path, write_page
from holdfast.report.reasons import reasons_table
from holdfast.report.terminal import heat_table, image_table
from holdfast.study.explain import explain_text, kind_of
from holdfast.study.explain_image import ImageExample, explain_image
from holdfast.study.explain_user import UserExample, explain_user
from holdfast.study.findings import Example

COUNT = 5  # recommendations
OPTIONS = ("query", "row", "out", "user", "count")  # that only some runs take


@dataclass(frozen=True)
class Request:
    """What to explain, and with which of a run's models, repairs and explainers (None: as it suits)."""

    what: str | None = None
    query: str | None = None
    user: str | None = None
    count: int | None = None
    row: int | None = None
    model: str | None = None
    repair: str | None = None
    explainers: tuple[str, ...] | None = None
    out: Path | None = None


@dataclass(frozen=True)
class Explained:
    """One example as every seed sees it; the heat maps of an image are on a ``page``."""

    example: Example | ImageExample | UserExample
    table: Callable[[Any], RenderableType] = field(repr=False, compare=False)
    page: Path | None = None

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast explain --json``."""
        return self.example.to_json() | ({} if self.page is None else {"page": str(self.page)})

    def __rich__(self) -> RenderableType:
        return self.table(self.example)


def explain(
    run: Path | str,
    what: str | None = None,
    query: str | None = None,
    user: str | None = None,
    count: int | None = None,
    row: int | None = None,
    model: str | None = None,
    repair: str | None = None,
    explainer: Methods = None,
    out: Path | str | None = None,
) -> Explained:
    """Explain a new example with every seed of a run: each one's view, the consensus, and the verdict.

    ``what`` is the text (``query``: the second of a pair), or a file of images of which ``row`` is explained;
    without a file, ``row`` is one of the run's own test images. ``user`` is whose ``count`` recommendations
    are explained. An image's heat maps are drawn on the page ``out`` (default: ``explain.html`` in the run).
    """
    page = None if out is None else Path(out)
    request = Request(what, query, user, count, row, model, repair, methods("explainers", explainer) or None, page)
    way = WAYS[kind_of(Path(run))]
    for name in OPTIONS:
        if name not in way.options and getattr(request, name) is not None:
            raise BadSetting(f"{run} is a run on {way.on}: leave --{name} out")
    return way.answer(Path(run), request)


def _text(run: Path, request: Request) -> Explained:
    if request.what is None:
        raise BadSetting(f"{run} is a run on texts: expected the text to explain, in quotes")
    example = explain_text(
        run, request.what, request.query, request.model, request.repair, request.explainers
    )
    return Explained(example, heat_table)


def _image(run: Path, request: Request) -> Explained:
    page = page_path(run, request.out)
    file = None if request.what is None else Path(request.what)
    example = explain_image(run, file, request.row, request.model, request.repair, request.explainers)
    write_page(example, page)
    return Explained(example, image_table, page)


def _user(run: Path, request: Request) -> Explained:
    explainers = request.explainers or (None,)
    if len(explainers) > 1:
        raise BadSetting(f"expected one explainer for a user, but got {' and '.join(map(str, explainers))}")
    if request.user is None or request.what is not None:
        raise BadSetting(f"{run} is a run on interactions: expected a user, e.g. --user 42")
    count = COUNT if request.count is None else request.count
    example = explain_user(run, request.user, count, request.model, request.repair, explainers[0])
    return Explained(example, reasons_table)


class Way(NamedTuple):
    """How runs on one kind of data are asked: what they are on, which options they take, what answers."""

    on: str
    options: tuple[str, ...]
    answer: Callable[[Path, Request], Explained]


WAYS = {
    "text": Way("texts", ("query",), _text),
    "image": Way("images", ("row", "out"), _image),
    "interaction": Way("interactions", ("user", "count"), _user),
}
