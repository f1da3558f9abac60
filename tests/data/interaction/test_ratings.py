from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch

from holdfast.core.errors import BadData
from holdfast.data.interaction.ratings import parse_ratings
from holdfast.data.source import Source, load
from holdfast.testing.dataset import check_dataset
from tests.data.histories import put_csv, rows


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["4", " 2.5", "NaN"]),
        pa.array([4.0, 2.5, None]),
        pa.array([4.0, 2.5, float("nan")]),
        pa.array(["4", "2.5", ""]).dictionary_encode(),
    ],
)
def test_numbers_however_they_are_written(column: pa.Array) -> None:
    np.testing.assert_array_equal(parse_ratings(column, "x"), np.array([4, 2.5, np.nan], np.float32))


@pytest.mark.parametrize("word", ["good", "inf", "4 stars"])
def test_words_are_refused(word: str) -> None:
    with pytest.raises(BadData) as caught:
        parse_ratings(pa.array(["4", word]), "plays.csv, column 'stars'", 10)
    assert str(caught.value) == (
        f"plays.csv, column 'stars': the rating '{word}' in row 12 is no number: expected numbers, "
        "such as stars from 1 to 5"
    )


def put(path: Path, rating: object = None, header: str = "user,item,time,stars") -> Path:
    given = [(*row, 1 + place % 5) for place, row in enumerate(rows())]
    given[3] = (*given[3][:3], given[3][3] if rating is None else rating)
    return put_csv(path, given, header)


def test_a_column_of_ratings_becomes_classes(tmp_path: Path) -> None:
    data = load(Source(str(put(tmp_path / "plays.csv")), rating="stars", filter="none"))
    check_dataset(data)
    expected = {row[:2]: 1 + place % 5 for place, row in enumerate(rows())}
    batch = data.splits["pairs"].batch(torch.arange(len(data.splits["pairs"])))
    assert data.task.rated
    for row, user in enumerate(batch.user.tolist()):
        for item, label in zip(batch.following[row].tolist(), batch.labels[row].tolist(), strict=True):
            stars = expected[data.user_name(user), data.items[item - 1]] if item else 0
            assert label == (2 if stars >= 3 else 0)


def test_a_missing_rating_is_counted_and_leaves_no_classes(tmp_path: Path) -> None:
    data = load(Source(str(put(tmp_path / "plays.csv", "")), filter="none"))
    check_dataset(data)
    assert "1 of 48 interactions have no rating: they count as any other." in data.notes
    assert not data.task.rated
    assert data.splits["pairs"].batch(torch.tensor([0])).labels is None
    assert int(data.histories.ratings.isnan().sum()) == 1


@pytest.mark.parametrize("scale", [20, 0.2])
def test_what_is_no_scale_of_stars_leaves_no_classes(tmp_path: Path, scale: float) -> None:
    given = [(*row, scale * (1 + place % 5)) for place, row in enumerate(rows())]
    path = put_csv(tmp_path / "plays.csv", given, "user,item,time,stars")
    data = load(Source(str(path), rating="stars", filter="none"))
    assert not data.task.rated
    assert data.splits["pairs"].batch(torch.tensor([0])).labels is None


def test_words_are_refused_where_the_column_is_named_and_else_left_out(tmp_path: Path) -> None:
    path = str(put(tmp_path / "plays.csv", "good"))
    with pytest.raises(BadData, match="column 'stars': the rating 'good' in row 4 is no number"):
        load(Source(path, user="user", rating="stars"))
    data = load(Source(path, user="user", filter="none"))
    assert "Column 'stars' holds no numbers, and is not taken for ratings." in data.notes
    assert data.histories.ratings is None


def test_rows_that_are_dropped_take_their_ratings_along(tmp_path: Path) -> None:
    lines = [("u0", "", 5, 1), *((*row, 4) for row in rows())]
    path = put_csv(tmp_path / "plays.csv", lines, "user,item,time,rating")
    data = load(Source(str(path), filter="none"))
    assert data.histories.ratings.tolist() == [4.0] * 48
