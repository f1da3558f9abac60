"""What sources of images say."""

import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.source import Source, load, reads


def test_a_npz_file_holds_images_whatever_else_is_said_of_it() -> None:
    """It used to be one of interactions to the plan, and one of images to whoever read it."""
    source = Source("x.npz", user="who", steps=2)
    assert reads(source) == "image"
    assert source.filter is None
    with pytest.raises(
        BadSetting, match=r"^--user names a column of a file, but 'x.npz' is a file of images: leave it out$"
    ):
        load(source)


def test_the_limit_is_the_sets_own() -> None:
    assert len(load(Source("digits", limit=40)).splits["train"]) == 40
