import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from holdfast.data.heard import Counted
from holdfast.data.interaction import file as play_file
from holdfast.data.source import load, source_of


def test_every_thousandth_is_told() -> None:
    told: list[float] = []
    count = Counted(2500, told.append)
    assert list(count.over(range(1500))) == list(range(1500))
    assert list(count.over(range(1000))) == list(range(1000))
    assert told == [0.0, 0.4, 0.8]


PLAYS = {"user": [f"u{k % 40}" for k in range(4000)], "item": [f"i{k % 90}" for k in range(4000)]}


@pytest.mark.parametrize("name", ["p.csv", "p.csv.gz", "p.txt", "p.parquet", "memory"])
def test_reading_interactions_tells_how_far_it_is(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_file, "BLOCK", 4096)
    monkeypatch.setattr(play_file, "ROWS", 512)
    mark = " " if name == "p.txt" else ","
    lines = [mark.join(row) for row in zip(*PLAYS.values(), strict=True)]
    text = "\n".join([mark.join(PLAYS), *lines, ""]).encode()
    if name == "p.parquet":
        parquet.write_table(pa.table(PLAYS), tmp_path / name)
    else:
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    told: list[float] = []
    data = PLAYS if name == "memory" else tmp_path / name
    load(source_of(data, user="user", item="item") if name != "p.txt" else source_of(data), heard=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) >= 4


def test_reading_texts_tells_how_far_it_is() -> None:
    texts = [f"word {k} of {k % 7}" for k in range(3000)]
    told: list[float] = []
    columns = {"text": texts, "label": [k % 2 for k in range(3000)], "query": texts}
    load(source_of(columns, query="query"), heard=told.append)
    assert told == pytest.approx([k / 6 for k in range(6)])
