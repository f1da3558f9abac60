"""MovieLens-1M: a million ratings of films, each an interaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from jaxtyping import Int
from torch import Tensor

from holdfast.data.interaction.ages import ages_of
from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.file import Layout, read_columns, read_interactions
from holdfast.data.interaction.filters import How
from holdfast.data.interaction.held_out import Length
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.sets.base import FilteredSet
from holdfast.data.named_set import fields_of
from holdfast.data.names import Names, padded
from holdfast.data.reading import read_lines

RATINGS, RAW, SHORT = "ratings.dat", "ml-1m_sequences_rawid.txt", "ml-1m.txt"
# the columns of ``user::item::rating::time``, cut at every colon
COLUMNS = Layout(":", ("user", "1", "item", "2", "rating", "3", "time"), quoted=False)


@dataclass(frozen=True)
class Ml1m(FilteredSet):
    """Harper and Konstan 2015; films with fewer than 5 ratings are dropped, as SASRec and BERT4Rec did.

    ``ml-1m.txt`` is without them already, so that any other filter is applied to ``ratings.dat`` or to
    ``ml-1m_sequences_rawid.txt``, lines ``user item item …``: ``ml-1m:filter=none`` has all 3,706 films. Only
    ``ratings.dat`` has ratings. Without ``ml-1m_item_map.tsv`` the items of ``ml-1m.txt`` have no titles.
    Many interactions share a time, as in ``ml-100k``: a note counts them for ``ratings.dat``; the other
    forms have no times, only an order.
    """

    name: ClassVar[str] = "ml-1m"
    about: ClassVar[str] = (
        "MovieLens-1M, films that users rated: 6,040 users, 3,416 items, 999,611 interactions "
        "(filter=none: 3,706 items, 1,000,209 interactions)"
    )
    home: ClassVar[str] = (
        "MovieLens-1M (grouplens.org/datasets/movielens/1m), ratings.dat, movies.dat and users.dat; or its "
        "SASRec form, lines 'user item' in the order of time, with ml-1m_item_map.tsv"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "interactions": tuple(f"ml-1m/{name}" for name in (SHORT, RATINGS, RAW))
    }
    extra: ClassVar[Mapping[str, str]] = {
        "map": "ml-1m_item_map.tsv", "movies": "movies.dat", "users": "users.dat"
    }  # fmt: skip

    length: Length = 50
    samples: int = 5
    filter: How = "once"

    def wanted(self) -> Mapping[str, tuple[str, ...]]:
        """What is already filtered is read last where another filter is asked for."""
        if (self.filter, self.least) == ("once", 5):
            return self.files
        return {"interactions": tuple(f"ml-1m/{name}" for name in (RATINGS, RAW, SHORT))}

    def interactions(self, files: Mapping[str, Path]) -> tuple[Interactions, list[str]]:
        """Any form; which one is said where it matters."""
        path = files["interactions"]
        if path.name.startswith(RATINGS):
            return read_columns(path, Roles("user", "item", "time", "rating"), COLUMNS)
        interactions, notes = read_interactions(path)
        if self.wanted() == self.files:
            return interactions, notes
        said = f"The interactions are those of {path.name}"
        if not _original(path):
            said += ", which has no films with fewer than 5 ratings: for all films, ratings.dat is needed"
        return interactions, [f"{said}.", *notes]

    def known(self, files: Mapping[str, Path], items: Names) -> tuple[Names, Names] | None:
        """Titles and genres, where the files say which item is which film."""
        original = _original(files["interactions"])
        if "movies" not in files or not (original or "map" in files):
            return None
        movies = {line[0]: line[1:] for line in _movies(files["movies"])}
        ids = {item: item for item in items} if original else dict(_map(files["map"]))
        films = {item: movies[ids[item]] for item in items if ids.get(item) in movies}
        titles, genres = ({item: row[column] for item, row in films.items()} for column in (0, 1))
        return padded(items, titles), padded(items, genres)

    def ages(self, files: Mapping[str, Path], users: Names) -> Int[Tensor, "N"] | None:
        """Users keep their numbers in every form."""
        return ages_of(files["users"], users, _ages(files["users"])) if "users" in files else None


def _original(path: Path) -> bool:
    """Whether the items have the numbers that MovieLens gave them."""
    return path.name.startswith((RATINGS, RAW))


def _ages(path: Path) -> dict[str, str]:
    """``id::gender::age::occupation::code``."""
    rows = [line.split("::") for line in read_lines(path, "latin-1")]
    return {row[0]: row[2] for row in rows if len(row) > 2}


def _movies(path: Path) -> list[tuple[str, str, str]]:
    """``id::title::genres`` in Latin-1; a title may hold colons."""
    rows = []
    for line in read_lines(path, "latin-1"):
        number, _, rest = line.partition("::")
        title, _, genres = rest.rpartition("::")
        rows.append((number, title, genres))
    return rows


def _map(path: Path) -> list[tuple[str, str]]:
    return [(one, other) for one, other in fields_of(path, read_lines(path), 2)]
