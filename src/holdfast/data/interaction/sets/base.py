"""What the named sets of interactions share: their settings, and how a file becomes histories."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from jaxtyping import Int
from torch import Tensor

from holdfast.core.settings import label
from holdfast.data.base import Kind
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.file import read_interactions
from holdfast.data.interaction.filters import Filter, How
from holdfast.data.interaction.held_out import CANDIDATES, HeldOutItem, Holdout, Length, held_out
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.named import NamedHistories, named_histories
from holdfast.data.named_set import NamedSet
from holdfast.data.names import Names
from holdfast.data.reading import find


@dataclass(frozen=True)
class InteractionSet(NamedSet):
    """Histories of users, of which a model sees the latest ``length`` items and, in an epoch, ``samples``
    windows; ``holdout`` is the item that the test asks for, ``limit`` caps the users, ``candidates`` says
    among how many other items it is ranked.

    Files that may be missing are named in ``extra``: they lie beside the first of ``files``.
    """

    modality: ClassVar[Kind] = "interaction"
    extra: ClassVar[Mapping[str, str]] = {}

    length: Length = 25
    samples: int = 1
    holdout: HeldOutItem = "test"
    limit: int | None = None
    candidates: int = CANDIDATES

    def __post_init__(self) -> None:
        _ = self.ask  # which checks them

    @property
    def ask(self) -> Holdout:
        """These settings."""
        return Holdout(self.length, self.samples, self.holdout, self.limit, self.candidates)

    def identity(self) -> dict[str, Any]:
        """As it was before candidates could be chosen, where they are not."""
        default = self.candidates == CANDIDATES
        return {
            name: value for name, value in super().identity().items() if not default or name != "candidates"
        }

    @abstractmethod
    def histories(self, files: Mapping[str, Path]) -> NamedHistories:
        """Read the histories."""

    def corpus(self, files: Mapping[str, Path]) -> InteractionDataset:
        """Read the histories, and hold out their ends."""
        return held_out(label(self), self.histories(files), self.ask)

    def locate(self, data_dir: Path | None = None) -> dict[str, Path]:
        """The files that are wanted, and those that may be missing where they are there."""
        files = super().locate(data_dir)
        beside = {role: find(name, folder) for folder in _folder(files) for role, name in self.extra.items()}
        return files | {role: path for role, path in beside.items() if path is not None}


@dataclass(frozen=True)
class FilteredSet(InteractionSet):
    """A set read from a file; ``filter`` drops users and items with fewer than ``least`` interactions."""

    filter: How = "none"
    least: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        Filter(self.filter, self.least)

    @abstractmethod
    def interactions(self, files: Mapping[str, Path]) -> tuple[Interactions, list[str]]:
        """Read the file, and say what a reader must know of it."""

    def known(self, files: Mapping[str, Path], items: Names) -> tuple[Names, Names] | None:
        """Titles and genres of these items, where the set has them."""
        return None

    def ages(self, files: Mapping[str, Path], users: Names) -> Int[Tensor, "N"] | None:
        """The age groups of these users, where the set has them."""
        return None

    def histories(self, files: Mapping[str, Path]) -> NamedHistories:
        """Read the file, drop rare users and items, and sort by time."""
        interactions, notes = self.interactions(files)
        named = named_histories(interactions, Filter(self.filter, self.least), self.name, notes)
        titles, genres = self.known(files, named.items) or (named.titles, named.genres)
        return replace(named, titles=titles, genres=genres, ages=self.ages(files, named.users))


class Prepared:
    """For sets of one file, whose form is recognised from the file itself."""

    def interactions(self, files: Mapping[str, Path]) -> tuple[Interactions, list[str]]:
        """Read the file, and say what a reader must know of it."""
        return read_interactions(files["interactions"])


def _folder(files: Mapping[str, Path]) -> list[Path]:
    return [next(iter(files.values())).parent] if files else []
