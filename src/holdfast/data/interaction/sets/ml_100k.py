"""MovieLens-100K: the small one, with times."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from jaxtyping import Int
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.data.interaction.ages import ages_of
from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.file import Layout, read_columns
from holdfast.data.interaction.filters import How
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.sets.base import FilteredSet
from holdfast.data.names import Names, padded
from holdfast.data.reading import read_lines

COLUMNS = Layout("\t", ("user", "item", "rating", "time"), quoted=False)
BEFORE = 5  # fields of u.item before the genres: number, title, two dates, address


@dataclass(frozen=True)
class Ml100k(FilteredSet):
    """Harper and Konstan 2015; films with fewer than 5 ratings are dropped, as in ``ml-1m``.

    The last two interactions of 44 % of the users share a time, so that for them chance, the order of rows,
    decides which film is the test's and which the validation's.
    """

    name: ClassVar[str] = "ml-100k"
    about: ClassVar[str] = (
        "MovieLens-100K, films that users rated: 943 users, 1,349 items, 99,287 interactions; with ratings"
    )
    home: ClassVar[str] = (
        "MovieLens-100K (grouplens.org/datasets/movielens/100k), u.data, u.item, u.genre and u.user"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {"interactions": ("ml-100k/u.data",)}
    extra: ClassVar[Mapping[str, str]] = {"films": "u.item", "genres": "u.genre", "users": "u.user"}

    samples: int = 5
    filter: How = "once"

    def interactions(self, files: Mapping[str, Path]) -> tuple[Interactions, list[str]]:
        """Tabs between user, item, rating and time."""
        return read_columns(files["interactions"], Roles("user", "item", "time", "rating"), COLUMNS)

    def known(self, files: Mapping[str, Path], items: Names) -> tuple[Names, Names] | None:
        """Titles, and genres where their names are there."""
        if "films" not in files:
            return None
        kinds = _genres(files["genres"]) if "genres" in files else []
        titles, genres = {}, {}
        for number, line in enumerate(read_lines(files["films"], "latin-1"), 1):
            row = line.split("|")
            if len(row) < BEFORE + len(kinds):
                raise BadData(f"{files['films']}: expected {BEFORE + len(kinds)} fields in line {number}")
            titles[row[0]] = row[1]
            flags = zip(kinds, row[BEFORE:], strict=False)
            genres[row[0]] = "|".join(kind for kind, flag in flags if flag == "1")
        return padded(items, titles), padded(items, genres)

    def ages(self, files: Mapping[str, Path], users: Names) -> Int[Tensor, "N"] | None:
        """``number|age|…``, the age in years."""
        if "users" not in files:
            return None
        rows = [line.split("|") for line in read_lines(files["users"], "latin-1")]
        return ages_of(files["users"], users, {row[0]: row[1] for row in rows if len(row) > 1})


def _genres(path: Path) -> list[str]:
    """``name|number``, in the order of the numbers."""
    return [line.partition("|")[0] for line in read_lines(path) if line]
