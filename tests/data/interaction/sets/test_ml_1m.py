from pathlib import Path

import pytest
import torch

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
        BadData,
        match=r"^data set 'ml-1m' needs ml-1m/ml-1m\.txt or ml-1m/ratings\.dat or "
        r"ml-1m/ml-1m_sequences_rawid\.txt \(plain",
    ):
        load(Source("ml-1m"), tmp_path)


def put_raw(root: Path) -> None:
    lines: dict[int, list[str]] = {}
    for user, item in pairs():
        lines.setdefault(user, []).append(str(100 + item))
    put(root, "ml-1m/ml-1m_sequences_rawid.txt", [f"{u} {' '.join(own)}" for u, own in lines.items()], True)


def put_users(root: Path, users: range = range(1, 13), age: str = "25") -> None:
    put(root, "ml-1m/users.dat", [f"{user}::F::{age if user == 3 else 56}::1::x" for user in users])


def test_all_films_are_in_the_file_that_is_not_filtered(tmp_path: Path) -> None:
    put(tmp_path, "ml-1m/ml-1m.txt", [f"{user} {item}" for user, item in pairs()])
    put_raw(tmp_path)
    put_movies(tmp_path)
    put_users(tmp_path)
    usual, whole = loaded("ml-1m", tmp_path), loaded("ml-1m:filter=none,length=all,candidates=9", tmp_path)
    assert (len(usual.items), len(whole.items)) == (14, 16)
    assert whole.notes[0] == "The interactions are those of ml-1m_sequences_rawid.txt.gz."
    assert "ml-1m.txt" not in " ".join(usual.notes)
    item = list(whole.items).index("101") + 1
    assert (whole.item_name(item), whole.genres(item)) == (NAME, ("Drama", "War"))
    assert whole.ages.tolist() == usual.ages.tolist() == [56, 56, 25, *[56] * 9]
    assert whole.task.length == int(whole.histories.lengths.max()) == 10
    assert whole.splits["test"].batch(torch.tensor([0])).candidates.shape == (1, 7)
    assert not whole.task.rated


def test_without_that_file_it_is_said_what_is_missing(tmp_path: Path) -> None:
    put(tmp_path, "ml-1m/ml-1m.txt", [f"{user} {item}" for user, item in pairs()])
    assert load(Source("ml-1m:filter=none"), tmp_path).notes[0] == (
        "The interactions are those of ml-1m.txt, which has no films with fewer than 5 ratings: "
        "for all films, ratings.dat is needed."
    )


def test_ratings_lie_beside_the_films(tmp_path: Path) -> None:
    rows = [f"{u}::{100 + i}::{1 + i % 5}::{1000 + time}" for time, (u, i) in enumerate(pairs())]
    put(tmp_path, "ml-1m/ratings.dat", rows[::-1])
    data = loaded("ml-1m:filter=none", tmp_path)
    assert data.task.rated
    for item, rating in zip(data.histories.ids.tolist(), data.histories.ratings.tolist(), strict=True):
        assert rating == 1 + (int(data.items[item - 1]) - 100) % 5


@pytest.mark.parametrize(
    ("users", "age", "sentence"),
    [
        (range(1, 12), "25", "expected the age of every user, but there is no line of user '12'"),
        (range(1, 13), "old", "expected the age of user '3' in years, but got 'old'"),
    ],
)
def test_ages_that_are_missing(tmp_path: Path, users: range, age: str, sentence: str) -> None:
    put_raw(tmp_path)
    put_users(tmp_path, users, age)
    with pytest.raises(BadData, match=rf"users\.dat: {sentence}$"):
        load(Source("ml-1m"), tmp_path)


def test_where_ages_are_not_known_it_is_said(tmp_path: Path) -> None:
    put_raw(tmp_path)
    with pytest.raises(BadData) as caught:
        load(Source("ml-1m"), tmp_path).known_ages()
    assert str(caught.value) == (
        "'ml-1m' does not say how old its users are: expected MovieLens with its file of users, "
        "users.dat or u.user, beside the ratings"
    )
