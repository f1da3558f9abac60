"""Users and what they did: what a sequential recommender learns from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.files import write_tensors
from holdfast.data.base import Dataset, Split, Task
from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.pairs import Pairs
from holdfast.data.interaction.splits import HeldOut, Windows
from holdfast.data.names import Names
from holdfast.data.reading import listed, shown
from holdfast.data.saved import pack, saved

FORMAT = 1
KIND = "interaction"
HELD_OUT = ("validation", "test")


@dataclass(frozen=True, eq=False)
class InteractionDataset(Dataset):
    """Histories of users: the last item of each is for testing, the one before it for validation. Models of
    what comes next train on the split ``train``, models of single items on ``pairs``.

    Items are numbers from 1; ``items`` are their names as the file writes them (that of item 1 first),
    ``titles`` and ``genres`` (joined by ``|``) what is known of them, empty where nothing is. ``ages`` are
    those of the users (:func:`holdfast.data.interaction.ages.group`), where they are known.
    """

    name: str
    task: Task
    splits: Mapping[str, Split]
    histories: Histories
    users: Names
    items: Names
    titles: Names | None = None
    all_genres: Names | None = None
    notes: tuple[str, ...] = ()
    ages: Int[Tensor, "N"] | None = None

    @classmethod
    def of(
        cls,
        name: str,
        histories: Histories,
        users: Names,
        items: Names,
        candidates: Mapping[str, Int[Tensor, "N C"]],
        *,
        length: int,
        whole: bool = False,
        samples: int = 1,
        back: Mapping[str, int] | None = None,
        causes: Mapping[str, Bool[Tensor, "L"]] | None = None,
        titles: Names | None = None,
        genres: Names | None = None,
        notes: tuple[str, ...] = (),
        ages: Int[Tensor, "N"] | None = None,
    ) -> "InteractionDataset":
        """The data set of these histories; ``back`` says how far from the end the item of each split lies,
        ``whole`` that ``length`` is that of the longest history."""
        count = len(items)
        places = {"validation": 2, "test": 1} | dict(back or {})
        train = Windows(histories, count, length, samples)
        splits: dict[str, Split] = {"train": train, "pairs": Pairs(histories, count, length)}
        for split in HELD_OUT:
            marks = None if causes is None else causes[split]
            splits[split] = HeldOut(histories, candidates[split], count, length, places[split], marks, whole)
        sizes = tuple(train.sizes.bincount().tolist())
        rated = histories.rated
        task = Task(count + 1, (), length=length, sizes=sizes, users=len(histories), rated=rated)
        return cls(name, task, splits, histories, users, items, titles, genres, notes, ages)

    @property
    def test(self) -> HeldOut:
        """The item that each user is tested on, and what it is ranked among."""
        split = self.splits["test"]
        assert isinstance(split, HeldOut)
        return split

    def item_name(self, item: int) -> str:
        """The title where it is known, else the name as it is written."""
        return (self.titles[item - 1] if self.titles is not None else "") or self.items[item - 1]

    def genres(self, item: int) -> tuple[str, ...]:
        """What kinds of thing an item is; nothing where that is not known."""
        text = "" if self.all_genres is None else self.all_genres[item - 1]
        return tuple(text.split("|")) if text else ()

    def known_ages(self) -> Int[Tensor, "N"]:
        """The age group of every user, refused where that is not known."""
        if self.ages is None:
            raise BadData(
                f"'{self.name}' does not say how old its users are: expected MovieLens with its file of "
                "users, users.dat or u.user, beside the ratings"
            )
        return self.ages

    def user_row(self, name: str) -> int:
        """The row of a user, by the name that the data give."""
        row = self.users.number(name)
        if row is None:
            some = listed(shown(self.users[number]) for number in range(min(5, len(self.users))))
            raise BadSetting(
                f"there is no user {shown(name)} among the {len(self.users):,} of '{self.name}' "
                f"(the first are {some}); users with too few interactions, with no item left to recommend, "
                "or beyond --limit are left out"
            )
        return row

    def user_name(self, row: int) -> str:
        """The name of a user as it is written."""
        return self.users[row]

    def history(self, row: int, split: str = "test") -> list[int]:
        """The items that a model sees of one row, oldest first."""
        batch = self.splits[split].batch(torch.tensor([row]))
        items: list[int] = batch.inputs[0][batch.mask[0]].tolist()
        return items

    def save(self, path: Path) -> str:
        """Write everything to one safetensors file; returns its SHA-256."""
        train, held = self.splits["train"], {name: self.splits[name] for name in HELD_OUT}
        assert isinstance(train, Windows)
        about: dict[str, Any] = {
            "kind": KIND,
            "format": FORMAT,
            "name": self.name,
            "notes": self.notes,
            "length": train.length,
            "samples": train.samples,
            "back": {name: split.back for name, split in held.items() if isinstance(split, HeldOut)},
        }
        about |= {"whole": True} if self.splits["test"].padded else {}
        tensors = {"about": pack(json.dumps(about))} | self.histories.tensors()
        tensors |= {} if self.ages is None else {"ages": self.ages}
        for field in ("users", "items", "titles", "all_genres"):
            names = getattr(self, field)
            tensors |= {} if names is None else names.tensors(field)
        for name, split in held.items():
            assert isinstance(split, HeldOut)
            tensors[f"{name}.candidates"] = split.candidates
            tensors |= {} if split.causes is None else {f"{name}.causes": split.causes}
        return write_tensors(path, tensors)

    @classmethod
    def load(cls, path: Path) -> "InteractionDataset":
        """Read back what :meth:`save` wrote."""
        with saved(path, FORMAT) as (about, tensors):
            return cls.of(
                about["name"],
                Histories.read(tensors),
                Names.read(tensors, "users"),
                Names.read(tensors, "items"),
                {name: tensors[f"{name}.candidates"] for name in HELD_OUT},
                length=about["length"],
                whole=about.get("whole", False),
                samples=about["samples"],
                back=about["back"],
                causes={name: tensors[f"{name}.causes"] for name in HELD_OUT if f"{name}.causes" in tensors}
                or None,
                titles=_maybe(tensors, "titles"),
                genres=_maybe(tensors, "all_genres"),
                notes=tuple(about["notes"]),
                ages=tensors.get("ages"),
            )


def _maybe(tensors: Mapping[str, Tensor], prefix: str) -> Names | None:
    return Names.read(tensors, prefix) if f"{prefix}.data" in tensors else None
