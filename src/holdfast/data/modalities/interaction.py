"""Histories of users: from a table of what they did, a text as SASRec's, or a named set."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from holdfast.data.base import Dataset
from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.file import ENDINGS, TEXTS, check_file, read_interactions
from holdfast.data.interaction.filters import Filter, How
from holdfast.data.interaction.held_out import HeldOutItem, Holdout, held_out
from holdfast.data.interaction.named import named_histories
from holdfast.data.interaction.sets.base import InteractionSet
from holdfast.data.modality import Modality, Options
from holdfast.data.named_set import NamedSet

DEFAULTS: dict[str, Any] = {
    "filter": "once", "least": 5, "length": 50, "samples": None, "holdout": "test"
}  # fmt: skip


@dataclass(frozen=True)
class InteractionOptions(Options):
    """``user``, ``item``, ``time`` and ``rating`` name a file's columns; ``filter`` and ``least`` say which
    users and items are dropped (:class:`Filter`); ``length``, ``samples`` and ``holdout`` what a model sees
    and has to predict (:class:`Holdout`); ``limit`` caps the users."""

    limit: int | None = None
    user: str | None = None
    item: str | None = None
    time: str | None = None
    rating: str | None = None
    filter: How | None = None
    least: int | None = None
    length: int | None = None
    samples: int | None = None
    holdout: HeldOutItem | None = None


class Interaction(Modality[InteractionOptions]):
    """A file is one of interactions by its ending, or where one of the options is given."""

    options: ClassVar[type[Options]] = InteractionOptions
    called: ClassVar[str] = "an interaction"
    many: ClassVar[str] = "interactions"
    dataset: ClassVar[type[Dataset]] = InteractionDataset
    endings: ClassVar[tuple[str, ...]] = ENDINGS
    columns: ClassVar[tuple[str, ...]] = ("user", "item", "time", "rating")
    settings: ClassVar[tuple[str, ...]] = tuple(DEFAULTS)

    def claims(self, source: InteractionOptions) -> bool:
        """By its ending, or by what is said of it."""
        said = any(getattr(source, option) is not None for option in (*self.columns, *self.settings))
        return said or source.data.removesuffix(".gz").endswith(TEXTS)

    def complete(self, source: InteractionOptions) -> dict[str, Any]:
        """Fill in the defaults, and refuse values that are out of bounds."""
        said = {name: getattr(source, name) for name in DEFAULTS}
        whole = {name: DEFAULTS[name] if value is None else value for name, value in said.items()}
        _choices(InteractionOptions(limit=source.limit, **whole))
        return whole

    def assumed(self) -> dict[str, Any]:
        """The default filter; the columns are then found by their names."""
        return {"filter": DEFAULTS["filter"]}

    def check_file(self, path: Path) -> None:
        """Refuse a file that cannot hold interactions."""
        check_file(path)

    def read(self, path: Path, source: InteractionOptions, data_dir: Path | None) -> Dataset:
        """Read the interactions, drop what is rare, and hold out the ends of the histories."""
        choice, ask = _choices(source)
        name = path.name.split(".")[0]
        interactions, notes = read_interactions(
            path, Roles(source.user, source.item, source.time, source.rating)
        )
        return held_out(name, named_histories(interactions, choice, name, notes), ask)

    def named(self, known: NamedSet, source: InteractionOptions) -> NamedSet:
        """The set with the source's limit."""
        assert isinstance(known, InteractionSet)
        return known if source.limit is None else replace(known, limit=source.limit)

    def load(self, known: NamedSet, source: InteractionOptions, data_dir: Path | None) -> Dataset:
        """Read the histories, and hold out their ends."""
        assert isinstance(known, InteractionSet)
        return known.corpus(known.locate(data_dir))


def _choices(source: InteractionOptions) -> tuple[Filter, Holdout]:
    assert source.filter is not None
    assert source.least is not None
    assert source.length is not None
    assert source.holdout is not None
    ask = Holdout(source.length, source.samples, source.holdout, source.limit)
    return Filter(source.filter, source.least), ask
