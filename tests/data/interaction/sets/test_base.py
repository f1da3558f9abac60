from pathlib import Path

import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.interaction.sets.amazon_games import AmazonGames
from holdfast.data.interaction.sets.ml_1m import Ml1m
from holdfast.data.source import Source, load
from tests.data.set_files import put


def test_settings_are_checked() -> None:
    assert (Ml1m().ask.length, Ml1m().ask.samples, AmazonGames().ask.length) == (50, 5, 25)
    for text, sentence in (
        ("ml-1m:length=0", r"^expected length to be 1 or more, or all, but got 0$"),
        ("ml-1m:holdout=train", r"^ml-1m: expected holdout to be test or validation, but got 'train'$"),
        ("steam:filter=twice", r"^steam: expected filter to be none, once or core, but got 'twice'$"),
        ("steam:least=0", r"^expected least to be 1 or more, but got 0$"),
    ):
        with pytest.raises(BadSetting, match=sentence):
            load(Source(text))


def test_settings_of_a_source(tmp_path: Path) -> None:
    lines = [f"{user} {item}" for user in range(9) for item in range(user, user + 6)]
    put(tmp_path, "amazon-games/Video.txt", lines)
    data = load(Source("amazon-games:length=3,filter=core,least=3", limit=4), tmp_path)
    assert data.name == "amazon-games:length=3,limit=4,filter=core,least=3"
    assert (len(data.users), data.task.length) == (4, 3)


def test_files_that_may_be_missing(tmp_path: Path) -> None:
    put(tmp_path, "ml-1m/ml-1m.txt", ["1 1"])
    assert set(Ml1m().locate(tmp_path)) == {"interactions"}
    put(tmp_path, "ml-1m/movies.dat", ["1::A::B"], pack=True)
    assert set(Ml1m().locate(tmp_path)) == {"interactions", "movies"}
