"""The contract of a named set: the files it needs, where they are published, how they are read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self

from holdfast.core.errors import BadData
from holdfast.data.base import Dataset, Kind
from holdfast.data.reading import find, listed, roots, shown
from holdfast.data.text.corpus import Corpus


class NamedSet(ABC):
    """A data set that is known by name: a frozen dataclass whose fields, if any, are its settings.

    ``files`` maps a role to the files that can play it, the best first, relative to the data folder; each may
    be plain or ``.gz``; a set without files says where it ``comes`` from. ``version`` changes whenever the
    same files would be read as something else; ``modality`` says what it consists of.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    home: ClassVar[str] = ""
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    comes: ClassVar[str] = "it is generated"
    version: ClassVar[int] = 1
    modality: ClassVar[Kind] = "text"

    @classmethod
    def narrow(cls, kind: "type[NamedSet] | None") -> type[Self] | None:
        """The same class where it is one of this class's own, else nothing."""
        return kind if kind is not None and issubclass(kind, cls) else None

    @abstractmethod
    def corpus(self, files: Mapping[str, Path]) -> Corpus | Dataset:
        """Read the files, by role: texts, or a data set that is finished."""

    def wanted(self) -> Mapping[str, tuple[str, ...]]:
        """``files``, in the order that is best for these settings."""
        return self.files

    def identity(self) -> dict[str, Any]:
        """The settings by which its data are known."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]

    def locate(self, data_dir: Path | None = None) -> dict[str, Path]:
        """The files of the first folder that has them all; else a sentence that says what is wanted."""
        places = roots(data_dir)
        for root in places:
            paths = {role: _first(names, root) for role, names in self.wanted().items()}
            if all(paths.values()):
                return {role: path for role, path in paths.items() if path is not None}
        wanted = listed(" or ".join(names) for names in self.wanted().values())
        raise BadData(
            f"data set '{self.name}' needs {wanted} (plain or .gz), published as {self.home}: "
            f"put the files into {places[0]} (looked in {listed(places)})"
        )


def numbered(path: Path, labels: Sequence[str], numbers: Mapping[str, int]) -> list[int]:
    """Labels as class numbers; a strange one is an error that names its line."""
    for line, label in enumerate(labels, 1):
        if label not in numbers:
            raise BadData(
                f"{path}: expected the label {listed(numbers, 'or')} in line {line}, but got {shown(label)}"
            )
    return [numbers[label] for label in labels]


def fields_of(path: Path, lines: Sequence[str], count: int) -> list[list[str]]:
    """Lines cut at their tabs."""
    rows = [line.split("\t") for line in lines]
    for number, row in enumerate(rows, 1):
        if len(row) != count:
            raise BadData(f"{path}: expected {count} fields in line {number}, but got {len(row)}")
    return rows


def _first(names: Sequence[str], root: Path) -> Path | None:
    return next((path for name in names if (path := find(name, root))), None)
