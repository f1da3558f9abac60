"""Where data of one modality come from: which options there are, which files hold them, how they are read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from holdfast.core.errors import BadSetting
from holdfast.core.modality import modalities as find
from holdfast.core.modality import modality_of
from holdfast.core.settings import MOST, at_most
from holdfast.data.base import Dataset, Kind
from holdfast.data.frame import Frame
from holdfast.data.heard import Heard, silent
from holdfast.data.named_set import NamedSet


@dataclass(frozen=True)
class Options:
    """What is said of every source: ``data`` is a name or a file. Each modality's record adds its options."""

    data: str = "planted"


O = TypeVar("O", bound=Options)  # noqa: E741


class Modality(ABC, Generic[O]):
    """What a source of one modality says, and how it becomes a data set.

    ``options`` is the record of all that is said of it; ``called`` and ``many`` are its name in a sentence
    ("an image", "images"); ``dataset`` is what is loaded, by :meth:`Dataset.load` too; ``endings`` are those
    of its files. Of the options, ``columns`` name a column of a file, ``settings`` are for files, as a named
    set has its own, ``rows`` say what becomes of some of a file's rows, and ``others`` say in a word or two
    what they do; all of these are refused where data are of another modality. Readers tell ``heard`` which
    share they have read, where they know.
    """

    options: ClassVar[type[Options]]
    called: ClassVar[str]
    many: ClassVar[str]
    dataset: ClassVar[type[Dataset]]
    endings: ClassVar[tuple[str, ...]]
    columns: ClassVar[tuple[str, ...]] = ()
    settings: ClassVar[tuple[str, ...]] = ()
    rows: ClassVar[tuple[str, ...]] = ()
    others: ClassVar[Mapping[str, str]] = {}

    @property
    def reads(self) -> tuple[str, ...]:
        """The options that this modality reads."""
        return tuple(field.name for field in fields(self.options))

    @property
    def exclusive(self) -> dict[str, str]:
        """Every option that is of no use to another modality, and what it does."""
        of_rows = dict.fromkeys(self.rows, "is about the rows of a file")
        return dict.fromkeys(self.columns, "names a column of a file") | of_rows | dict(self.others)

    def check(self, source: O) -> None:
        """Refuse values of its options that are out of bounds, whatever the data are."""
        return

    @abstractmethod
    def claims(self, source: O) -> bool:
        """Whether a file is of this modality, by its ending or by what is said of it."""

    def complete(self, source: O) -> dict[str, Any]:
        """The options of a file of this modality with their defaults in place."""
        return {}

    def assumed(self) -> dict[str, Any]:
        """The options to assume for a table that nothing else assigns to a modality."""
        return {}

    @abstractmethod
    def check_file(self, path: Path) -> None:
        """Refuse a file that cannot be of this modality."""

    @abstractmethod
    def read(self, path: Path, source: O, data_dir: Path | None, heard: Heard = silent) -> Dataset:
        """Read a file."""

    def read_frame(self, frame: Frame, source: O, data_dir: Path | None, heard: Heard = silent) -> Dataset:
        """Read a table that is in memory, where such data can be one."""
        raise BadSetting(f"expected {self.many} in a file, but '{source.data}' is a table in memory")

    def named(self, known: NamedSet, source: O) -> NamedSet:
        """A named set with what the source says of it."""
        return known

    @abstractmethod
    def load(self, known: NamedSet, source: O, data_dir: Path | None, heard: Heard = silent) -> Dataset:
        """Read a named set."""

    def beside(self, source: O, data_dir: Path | None) -> dict[str, list[Path]]:
        """Files that are read besides the data themselves, by the option that names them."""
        return {}


def modalities() -> dict[Kind, Modality[Any]]:
    """Every modality by its name."""
    return find(Modality)


def modality(kind: Kind) -> Modality[Any]:
    """The modality of this name.

    >>> modality("image").many
    'images'
    """
    return modality_of(Modality, kind)  # type: ignore[no-any-return]


def bounded(name: str, value: int | None, least: int, most: int = MOST) -> None:
    """Refuse a number below ``least`` or above ``most``; nothing said is fine."""
    if value is not None and value < least:
        raise BadSetting(f"expected {name} to be at least {least}, but got {value}")
    at_most(f"expected {name}", value, most)
