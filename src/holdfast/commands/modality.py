"""How a run explains a new example, by modality."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from rich.console import Group, RenderableType
from rich.text import Text

from holdfast.core.errors import BadSetting
from holdfast.core.modality import modality_of
from holdfast.data.base import Kind
from holdfast.data.modality import modality as data_of
from holdfast.report.terminal import printed
from holdfast.study.explain import kind_of
from holdfast.study.explain_image import ImageExample
from holdfast.study.findings import Example
from holdfast.study.recipe.plan import check_models
from holdfast.study.recommendation import UserExample

OPTIONS = ("query", "file", "row", "user", "count")  # that only some runs take


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
    file: Path | BinaryIO | None = None


@dataclass(frozen=True)
class Explained:
    """Examples as every seed sees them, drawn on a ``page`` (None where it cannot be written); ``skipped`` is
    how many lines of a file were empty, None where there was no file. ``table`` is what a terminal shows of
    an example, ``cell`` what a notebook shows of all."""

    examples: tuple[Example | ImageExample | UserExample, ...]
    table: Callable[[Any], RenderableType] = field(repr=False, compare=False)
    cell: Callable[[], str] = field(repr=False, compare=False)
    page: Path | None = None
    skipped: int | None = None

    @property
    def example(self) -> Any:
        """The first of them."""
        return self.examples[0]

    @property
    def note(self) -> str:
        """What a reader of a file's texts must know."""
        return skipped_note(self.skipped or 0)

    def to_json(self) -> Any:
        """The answer of ``holdfast explain --json``: an object, or of a file a list of them."""
        page = {} if self.page is None else {"page": str(self.page)}
        told = [example.to_json() | page for example in self.examples]
        return told[0] if self.skipped is None else told

    def __rich__(self) -> RenderableType:
        return Group(*(part for example in self.examples for part in (self.table(example), Text())))

    def __str__(self) -> str:
        return printed(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return self.cell()


def skipped_note(skipped: int) -> str:
    """How many lines were skipped, in a sentence.

    >>> skipped_note(1), skipped_note(0)
    ('1 empty line was skipped.', '')
    """
    lines = "1 empty line was" if skipped == 1 else f"{skipped} empty lines were"
    return f"{lines} skipped." if skipped else ""


class Modality(ABC):
    """``options`` are those that a run on such data takes."""

    options: ClassVar[tuple[str, ...]]

    @abstractmethod
    def explain(self, run: Path, request: Request) -> Explained:
        """Explain the example of this request."""


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("image").options
    ('row',)
    """
    return modality_of(Modality, kind)  # type: ignore[no-any-return]


def answer(run: Path, request: Request) -> Explained:
    """Explain a new example with a run, in the way of its modality."""
    check_models(run)
    kind = kind_of(run)
    for name in OPTIONS:
        if name not in modality(kind).options and getattr(request, name) is not None:
            raise BadSetting(f"{run} is a run on {data_of(kind).many}: leave --{name} out")
    return modality(kind).explain(run, request)
