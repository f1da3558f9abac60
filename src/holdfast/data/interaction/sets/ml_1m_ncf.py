"""MovieLens-1M as the authors of NCF divided it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.file import Layout, read_columns
from holdfast.data.interaction.held_out import Length
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.named import NamedHistories
from holdfast.data.interaction.sets.base import FilteredSet
from holdfast.data.reading import read_lines, shown

COLUMNS = Layout("\t", ("user", "item", "rating", "time"), quoted=False)
ROLES = Roles("user", "item", "time", "rating")
NOTE = (
    "The test items, and the items that they are ranked among, are those of {0}; users and items have the "
    "numbers of these files, so that titles and ages are not known."
)


@dataclass(frozen=True)
class Ml1mNcf(FilteredSet):
    """He et al. 2017; the last film of each user is the test's, ranked among 99 that the authors drew.

    The film before it is for validation, and is not trained on here.
    """

    name: ClassVar[str] = "ml-1m-ncf"
    about: ClassVar[str] = (
        "MovieLens-1M as NCF divided it, with its own test: 6,040 users, 3,706 items, 1,000,209 interactions"
    )
    home: ClassVar[str] = (
        "the files of NCF (github.com/hexiangnan/neural_collaborative_filtering): lines 'user item rating "
        "time' and '(user,item) n1 … n99', with tabs"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "train": ("ml-1m/ml-1m.train.rating",),
        "test": ("ml-1m/ml-1m.test.rating",),
        "negatives": ("ml-1m/ml-1m.test.negative",),
    }

    length: Length = "all"
    candidates: int = 99

    def interactions(self, files: Mapping[str, Path]) -> tuple[Interactions, list[str]]:
        """What was trained on, and after it what is tested."""
        train, notes = read_columns(files["train"], ROLES, COLUMNS)
        test, more = read_columns(files["test"], ROLES, COLUMNS)
        return train.then(test), [NOTE.format(files["negatives"].name), *notes, *more]

    def histories(self, files: Mapping[str, Path]) -> NamedHistories:
        """The histories, with the items that the last one of each is ranked among."""
        named = super().histories(files)
        if (self.filter, self.holdout) != ("none", "test"):
            return named
        return replace(named, others=_others(files["negatives"], named))


def _others(path: Path, named: NamedHistories) -> Int[Tensor, "N C"]:
    """Lines ``(user,item)`` and items, with tabs: one for every user, about the last item."""
    rows: dict[int, list[int]] = {}
    for number, line in enumerate(read_lines(path), 1):
        user, item, items = _parsed(path, number, line)
        row = named.users.number(user)
        if row is None:
            raise BadData(f"{path}: line {number:,} is of user {shown(user)}, who is not in the other files")
        last = named.items[int(named.histories.of(row)[-1]) - 1]
        if item != last:
            raise BadData(
                f"{path}: expected the latest item of user {shown(user)}, {shown(last)}, in line {number:,}, "
                f"but got {shown(item)}"
            )
        if row in rows or item in items:
            twice = (
                f"a second line of user {shown(user)}" if row in rows else f"{shown(item)} again in its line"
            )
            raise BadData(f"{path}: expected every user and his item once, but got {twice}, line {number:,}")
        rows[row] = [_number(path, number, named, one) for one in items]
    counts = {len(items) for items in rows.values()}
    if len(rows) < len(named.users) or len(counts) != 1:
        raise BadData(
            f"{path}: expected a line of as many items for each of {len(named.users):,} users, but got "
            f"{len(rows):,} users with {' or '.join(map(str, sorted(counts))) or 'no'} items"
        )
    return torch.tensor([rows[row] for row in range(len(rows))], dtype=torch.int32)


def _parsed(path: Path, number: int, line: str) -> tuple[str, str, list[str]]:
    """The user, the item and the others of a line."""
    pair, *items = line.split("\t")
    parts = re.fullmatch(r"\(([^(),]+),([^(),]+)\)", pair)
    if parts is None or not all(items):
        raise BadData(
            f"{path}: expected '(user,item)' and items, with tabs between them, in line {number:,}, but got "
            f"{shown(line)}"
        )
    return parts[1], parts[2], items


def _number(path: Path, line: int, named: NamedHistories, item: str) -> int:
    place = named.items.number(item)
    if place is None:
        raise BadData(f"{path}: item {shown(item)} in line {line:,} is not in the other files")
    return place + 1
