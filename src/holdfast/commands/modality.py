"""How a run explains a new example, by modality."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rich.console import RenderableType

from holdfast.core.errors import BadSetting
from holdfast.core.modality import modality_of
from holdfast.data.base import Kind
from holdfast.data.modality import modality as data_of
from holdfast.study.explain import kind_of
from holdfast.study.explain_image import ImageExample
from holdfast.study.explain_user import UserExample
from holdfast.study.findings import Example

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


class Modality(ABC):
    """``options`` are those that a run on such data takes."""

    options: ClassVar[tuple[str, ...]]

    @abstractmethod
    def explain(self, run: Path, request: Request) -> Explained:
        """Explain the example of this request."""


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("image").options
    ('row', 'out')
    """
    return modality_of(Modality, kind)  # type: ignore[no-any-return]


def answer(run: Path, request: Request) -> Explained:
    """Explain a new example with a run, in the way of its modality."""
    kind = kind_of(run)
    for name in OPTIONS:
        if name not in modality(kind).options and getattr(request, name) is not None:
            raise BadSetting(f"{run} is a run on {data_of(kind).many}: leave --{name} out")
    return modality(kind).explain(run, request)
