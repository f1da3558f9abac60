"""What sources of texts say."""

from pathlib import Path

import pytest

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.modality import modality
from holdfast.data.source import Source, load


def test_a_table_that_nothing_is_said_of_holds_texts() -> None:
    text = modality("text")
    assert not text.claims(Source("x.csv"))
    assert text.claims(Source("x.csv", text="review"))
    assert not text.claims(Source("x.csv", label="stars"))  # features have labels too
    assert text.assumed() == {}


def test_its_numbers_have_bounds_whatever_the_data_are() -> None:
    for options in ({"max_length": 0}, {"min_count": 0}, {"max_words": 0}, {"limit": 1}):
        (name,) = options
        with pytest.raises(BadSetting, match=rf"^expected {name} to be at least "):
            Source("digits", **options)
    with pytest.raises(BadSetting, match=r"^expected max_length to be at most 1,000,000, but got 1,000,001$"):
        Source(max_length=1_000_001)


def test_a_table_of_interactions_is_told_from_one_of_texts(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("user,item\na,b\n")
    with pytest.raises(BadData, match=r"has columns of users and items: for interactions, name them"):
        load(Source(str(path)))
