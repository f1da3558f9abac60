from itertools import groupby
from pathlib import Path

from tests.data.histories import names_of
from tests.data.interaction.history_files import pairs
from tests.data.set_files import loaded, put, sizes


def test_a_line_for_each_user(tmp_path: Path) -> None:
    own = groupby(pairs(), key=lambda pair: pair[0])
    put(tmp_path, "lastfm/lastfm.txt", [f"{user} {' '.join(str(i) for _, i in some)}" for user, some in own])
    data = loaded("lastfm", tmp_path)
    assert sizes(data) == [12, 12, 12]
    assert names_of(data, 2) == [str(item) for user, item in pairs() if user == 3]


def test_a_table_of_recbole(tmp_path: Path) -> None:
    rows = [f"{user}\t{item}\t1.0" for user, item in pairs()]
    put(tmp_path, "lastfm/lastfm.inter", ["user_id:token\tartist_id:token\tweight:float", *rows], pack=True)
    data = loaded("lastfm", tmp_path)
    assert names_of(data, 2) == [str(item) for user, item in pairs() if user == 3]
