"""Histories of users: from a table of what they did, a text as SASRec's, or a named set."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from holdfast.data.base import Dataset
from holdfast.data.frame import Frame
from holdfast.data.heard import Heard, silent
from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.file import ENDINGS, TEXTS, check_file, read_frame, read_interactions
from holdfast.data.interaction.filters import Filter, How
from holdfast.data.interaction.held_out import HeldOutItem, Holdout, Length, held_out
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.named import named_histories
from holdfast.data.interaction.repeats import Repeats, check_repeats
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
    and has to predict (:class:`Holdout`); ``limit`` caps the users. A few rows without a user, an item or a
    time are dropped, with ``strict`` refused; ``repeats`` says what becomes of exact repeats."""

    limit: int | None = None
    user: str | None = None
    item: str | None = None
    time: str | None = None
    rating: str | None = None
    filter: How | None = None
    least: int | None = None
    length: Length | None = None
    samples: int | None = None
    holdout: HeldOutItem | None = None
    repeats: Repeats | None = None
    strict: bool = field(default=False, compare=False)


class Interaction(Modality[InteractionOptions]):
    """A file is one of interactions by its ending, or where one of the options is given."""

    options: ClassVar[type[Options]] = InteractionOptions
    called: ClassVar[str] = "an interaction"
    many: ClassVar[str] = "interactions"
    dataset: ClassVar[type[Dataset]] = InteractionDataset
    endings: ClassVar[tuple[str, ...]] = ENDINGS
    columns: ClassVar[tuple[str, ...]] = ("user", "item", "time", "rating")
    settings: ClassVar[tuple[str, ...]] = tuple(DEFAULTS)
    rows: ClassVar[tuple[str, ...]] = ("repeats",)

    def check(self, source: InteractionOptions) -> None:
        """Repeats are kept or dropped."""
        check_repeats(source.repeats)

    def claims(self, source: InteractionOptions) -> bool:
        """By its ending, or by what is said of it."""
        options = (*self.columns, *self.settings, *self.rows)
        said = any(getattr(source, option) is not None for option in options)
        return said or source.data.removesuffix(".gz").endswith(TEXTS)

    def complete(self, source: InteractionOptions) -> dict[str, Any]:
        """Fill in the defaults, and refuse values that are out of bounds."""
        said = {name: getattr(source, name) for name in DEFAULTS}
        whole = {name: DEFAULTS[name] if value is None else value for name, value in said.items()}
        _choices(InteractionOptions(limit=source.limit, **whole))
        return whole | {"repeats": None if source.repeats == "keep" else source.repeats}

    def assumed(self) -> dict[str, Any]:
        """The default filter; the columns are then found by their names."""
        return {"filter": DEFAULTS["filter"]}

    def check_file(self, path: Path) -> None:
        """Refuse a file that cannot hold interactions."""
        check_file(path)

    def read(
        self, path: Path, source: InteractionOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read the interactions, drop what is rare, and hold out the ends of the histories."""
        return _held_out(
            read_interactions(path, _roles(source), source.strict, heard), path.name.split(".")[0], source
        )

    def read_frame(
        self, frame: Frame, source: InteractionOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """The same of a table in memory."""
        read = read_frame(Path(source.data), frame, _roles(source), source.strict, heard)
        return _held_out(read, source.data, source)

    def named(self, known: NamedSet, source: InteractionOptions) -> NamedSet:
        """The set with the source's limit."""
        assert isinstance(known, InteractionSet)
        return known if source.limit is None else replace(known, limit=source.limit)

    def load(
        self, known: NamedSet, source: InteractionOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read the histories, and hold out their ends."""
        assert isinstance(known, InteractionSet)
        return known.corpus(known.locate(data_dir))


def _roles(source: InteractionOptions) -> Roles:
    return Roles(source.user, source.item, source.time, source.rating)


def _held_out(read: tuple[Interactions, list[str]], name: str, source: InteractionOptions) -> Dataset:
    (interactions, notes), (choice, ask) = read, _choices(source)
    return held_out(name, named_histories(interactions, choice, name, notes, source.repeats or "keep"), ask)


def _choices(source: InteractionOptions) -> tuple[Filter, Holdout]:
    assert source.filter is not None
    assert source.least is not None
    assert source.length is not None
    assert source.holdout is not None
    ask = Holdout(source.length, source.samples, source.holdout, source.limit)
    return Filter(source.filter, source.least), ask
