import numpy as np
import pytest

from holdfast.core.errors import BadData
from holdfast.data.scores.file import read_scores
from tests.data.scores.made import made
from tests.data.scores.test_long import written


def test_a_file_is_read_by_its_ending(tmp_path):
    np.savez(tmp_path / "a.npz", scores=made(2, 3).scores)
    assert read_scores(tmp_path / "a.npz").name == "a.npz"
    assert read_scores(written(tmp_path / "b.parquet")).name == "b.parquet"


def test_what_does_not_fit_names_the_file(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, scores=np.full((2, 3, 4), np.nan))
    with pytest.raises(BadData) as caught:
        read_scores(path)
    assert str(caught.value) == (
        f"{path}: expected scores to be finite numbers, but some are NaN or infinite: mask or fix them"
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.csv", "expected scores in a .npz or a .parquet file, but got 'a.csv'"),
        ("none.npz", "none.npz does not exist: expected arrays of numbers, "),
        ("none.parquet", "none.parquet does not exist: expected a data file"),
    ],
)
def test_a_file_that_is_none(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    from pathlib import Path

    with pytest.raises(BadData) as caught:
        read_scores(Path(name))
    assert str(caught.value).startswith(message)
