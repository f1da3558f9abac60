from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.source import Source, load
from tests.data.histories import names_of
from tests.data.interaction.history_files import pairs
from tests.data.set_files import loaded, put, sizes

FILMS = [f"{item}|Film {item} (1995)|01-Jan-1995||http://x|1|0|{item % 2}" for item in range(1, 31)]


def put_actions(root: Path) -> None:
    rows = [f"{user}\t{item}\t3\t{1000 + time}" for time, (user, item) in enumerate(pairs())]
    put(root, "ml-100k/u.data", rows[::-1], pack=True)


def test_ml_100k(tmp_path: Path) -> None:
    put_actions(tmp_path)
    put(tmp_path, "ml-100k/u.item", FILMS, pack=True)
    put(tmp_path, "ml-100k/u.genre", ["unknown|0", "Action|1", "Film-Noir|2", ""])
    put(tmp_path, "ml-100k/u.user", [f"{user}|{10 * user}|M|other|x" for user in range(1, 13)], pack=True)
    data = loaded("ml-100k", tmp_path)
    rows = [data.user_row(str(user)) for user in range(1, 13)]
    assert data.known_ages()[rows].tolist() == [1, 18, 25, 35, 50, *[56] * 7]
    assert data.task.rated
    assert set(data.histories.ratings.tolist()) == {3.0}
    assert sizes(data) == [60, 12, 12]
    assert names_of(data, data.user_row("3")) == [str(item) for user, item in pairs() if user == 3]
    first, second = (list(data.items).index(name) + 1 for name in ("1", "2"))
    assert data.item_name(first) == "Film 1 (1995)"
    assert (data.genres(first), data.genres(second)) == (("unknown", "Film-Noir"), ("unknown",))


def test_without_films(tmp_path: Path) -> None:
    put_actions(tmp_path)
    assert load(Source("ml-100k"), tmp_path).titles is None


def test_films_without_fields(tmp_path: Path) -> None:
    put_actions(tmp_path)
    put(tmp_path, "ml-100k/u.item", ["1|Film"])
    with pytest.raises(BadData, match=r"u\.item: expected 5 fields in line 1$"):
        load(Source("ml-100k"), tmp_path)
