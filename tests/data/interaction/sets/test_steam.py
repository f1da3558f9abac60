from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.source import Source, load
from tests.data.histories import names_of
from tests.data.interaction.history_files import pairs
from tests.data.set_files import loaded, put, sizes


def test_steam(tmp_path: Path) -> None:
    put(tmp_path, "steam/Steam.txt", [f"{user} {item}" for user, item in pairs()])
    data = loaded("steam", tmp_path)
    assert sizes(data) == [12, 12, 12]
    assert (data.task.length, data.task.vocabulary) == (25, 17)
    assert names_of(data, 0) == [str(item) for user, item in pairs() if user == 1]


def test_what_it_wants_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"^data set 'steam' needs steam/Steam\.txt \(plain or \.gz\)"):
        load(Source("steam"), tmp_path)
