from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.source import Source, load
from tests.data.histories import names_of
from tests.data.interaction.history_files import pairs
from tests.data.set_files import loaded, put, sizes

MOVIES = [*(f'{100 + item}::Film {item}: the "<i>{item}</i>" (1999)::Drama|War' for item in range(1, 31))]
NAME = 'Film 1: the "<i>1</i>" (1999)'


def put_movies(root: Path) -> None:
    path = root / "ml-1m" / "movies.dat"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(("\n".join([*MOVIES, "999::Misérables, Les::Drama"]) + "\n").encode("latin-1"))


def put_map(root: Path) -> None:
    lines = ["sasrec_item\tmovielens_movie_id", *(f"{item}\t{100 + item}" for item in range(1, 31))]
    put(root, "ml-1m/ml-1m_item_map.tsv", lines)


def test_the_sasrec_form(tmp_path: Path) -> None:
    put(tmp_path, "ml-1m/ml-1m.txt", [f"{user} {item}" for user, item in pairs()], pack=True)
    put_movies(tmp_path)
    put_map(tmp_path)
    data = loaded("ml-1m", tmp_path)
    assert sizes(data) == [60, 12, 12]
    assert data.task.length == 50
    item = list(data.items).index("1") + 1
    assert (data.item_name(item), data.genres(item)) == (NAME, ("Drama", "War"))
    assert "14 of 16 items and 96 of 98 interactions are left" in data.notes[1]


def test_the_original_form_has_times(tmp_path: Path) -> None:
    rows = [f"{user}::{100 + item}::4::{1000 + time}" for time, (user, item) in enumerate(pairs())]
    put(tmp_path, "ml-1m/ratings.dat", rows[::-1])
    put_movies(tmp_path)
    data = loaded("ml-1m", tmp_path)
    own = [str(100 + item) for user, item in pairs() if user == 3]
    assert names_of(data, data.user_row("3")) == own
    assert data.item_name(list(data.items).index("101") + 1) == NAME


def test_without_a_map_there_are_no_titles(tmp_path: Path) -> None:
    put(tmp_path, "ml-1m/ml-1m.txt", [f"{user} {item}" for user, item in pairs()])
    put_movies(tmp_path)
    data = load(Source("ml-1m"), tmp_path)
    assert data.titles is None
    assert data.item_name(1) == data.items[0]


def test_a_broken_map(tmp_path: Path) -> None:
    put(tmp_path, "ml-1m/ml-1m.txt", [f"{user} {item}" for user, item in pairs()])
    put_movies(tmp_path)
    put(tmp_path, "ml-1m/ml-1m_item_map.tsv", ["1"])
    with pytest.raises(BadData, match=r"ml-1m_item_map\.tsv: expected 2 fields in line 1, but got 1$"):
        load(Source("ml-1m"), tmp_path)


def test_what_it_wants_is_said(tmp_path: Path) -> None:
    with pytest.raises(
        BadData, match=r"^data set 'ml-1m' needs ml-1m/ml-1m\.txt or ml-1m/ratings\.dat \(plain"
    ):
        load(Source("ml-1m"), tmp_path)
