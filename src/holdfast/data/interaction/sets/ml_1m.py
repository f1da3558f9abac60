"""MovieLens-1M: a million ratings of films, each an interaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.file import Layout, read_columns, read_interactions
from holdfast.data.interaction.filters import How
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.sets.base import FilteredSet
from holdfast.data.named_set import fields_of
from holdfast.data.names import Names, padded
from holdfast.data.reading import read_lines

RATINGS = "ratings.dat"
# the columns of ``user::item::rating::time``, cut at every colon
COLUMNS = Layout(":", ("user", "1", "item", "2", "rating", "3", "time"), quoted=False)


@dataclass(frozen=True)
class Ml1m(FilteredSet):
    """Harper and Konstan 2015; films with fewer than 5 ratings are dropped, as SASRec and BERT4Rec did.

    Without ``ml-1m_item_map.tsv`` the items of ``ml-1m.txt`` have no titles. Many interactions share a time,
    as in ``ml-100k``: a note counts them for ``ratings.dat``; ``ml-1m.txt`` has no times, only an order.
    """

    name: ClassVar[str] = "ml-1m"
    about: ClassVar[str] = (
        "MovieLens-1M, films that users rated: 6,040 users, 3,416 items, 999,611 interactions"
    )
    home: ClassVar[str] = (
        "MovieLens-1M (grouplens.org/datasets/movielens/1m), ratings.dat and movies.dat; or its SASRec form, "
        "lines 'user item' in the order of time, with ml-1m_item_map.tsv"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {"interactions": ("ml-1m/ml-1m.txt", f"ml-1m/{RATINGS}")}
    extra: ClassVar[Mapping[str, str]] = {"map": "ml-1m_item_map.tsv", "movies": "movies.dat"}

    length: int = 50
    samples: int = 5
    filter: How = "once"

    def interactions(self, files: Mapping[str, Path]) -> tuple[Interactions, list[str]]:
        """Either form."""
        path = files["interactions"]
        if _original(path):
            return read_columns(path, Roles("user", "item", "time"), COLUMNS)
        return read_interactions(path)

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


def _original(path: Path) -> bool:
    return path.name.startswith(RATINGS)


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
