from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from holdfast.core.errors import BadData
from holdfast.data import parquet_file
from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.file import read_interactions
from holdfast.data.parquet_file import ParquetColumns
from holdfast.data.source import Source, load

COUNT = 40
TEXTS = {
    "text": [f"a {'good' if i % 2 else 'bad'} film number {i}" for i in range(COUNT)],
    "label": [str(i % 2) for i in range(COUNT)],
}
PLAYS = {"user": [str(i // 8) for i in range(COUNT)], "item": [str(i % 9) for i in range(COUNT)]}
FAR = {
    "timestamp": pa.array([2**60] * COUNT, pa.timestamp("ms")),
    "date": pa.array([2**31 - 1] * COUNT, pa.date32()),
    "duration": pa.array([2**62] * COUNT, pa.duration("ms")),
}
NOT_UTF8 = pa.Array.from_buffers(
    pa.string(),
    COUNT,
    [None, pa.py_buffer(np.arange(0, 81, 2, dtype=np.int32)), pa.py_buffer(b"\xff\xfe" * COUNT)],
)


def put(folder: Path, **columns: object) -> Path:
    parquet.write_table(pa.table(columns), folder / "a.parquet")
    return folder / "a.parquet"


@pytest.mark.parametrize("kind", FAR)
def test_a_column_nobody_asked_for_may_hold_anything(tmp_path: Path, kind: str) -> None:
    path = put(tmp_path, **TEXTS, when=FAR[kind], broken=NOT_UTF8)
    assert len(load(Source(str(path))).splits["test"]) == 8
    with pytest.raises(
        BadData, match=r"a\.parquet: column 'when' has values that cannot be read \(.*\): fix"
    ):
        load(Source(str(path), text="when", label="label"))


@pytest.mark.parametrize("kind", FAR)
def test_times_out_of_range_are_refused(tmp_path: Path, kind: str) -> None:
    path = put(tmp_path, **PLAYS, time=FAR[kind])
    sentence = (
        rf"column 'time': the time 'a {kind}.* out of range' in row 1 cannot be read: expected numbers or"
    )
    with pytest.raises(BadData, match=sentence.replace("a date", "a date32")):
        read_interactions(path, Roles("user", "item", "time"))


@pytest.mark.parametrize("role", ["user", "item"])
@pytest.mark.parametrize("encoded", [False, True])
def test_names_that_are_not_utf8_are_refused(tmp_path: Path, role: str, encoded: bool) -> None:
    names = NOT_UTF8.dictionary_encode() if encoded else NOT_UTF8
    path = put(tmp_path, **(PLAYS | {role: names}))
    with pytest.raises(
        BadData, match=rf"column '{role}': expected names in UTF-8, but got bytes that are not"
    ):
        read_interactions(path, Roles("user", "item"))


def test_more_rows_or_bytes_than_can_be_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes may stand for any number of rows."""
    path = put(tmp_path, text=pa.array(["x" * 1000] * 100_000))
    assert path.stat().st_size < 20_000
    monkeypatch.setattr(parquet_file, "WHOLE", 10_000_000)
    with pytest.raises(BadData, match=r"column 'text' has more than 10,000,000 bytes: use fewer$"):
        ParquetColumns(path)["text"]
    monkeypatch.setattr(parquet_file, "TEXTS", 99_999)
    with pytest.raises(BadData, match=r"a\.parquet has 100,000 rows: expected 99,999 at most$"):
        ParquetColumns(path)


def test_columns_are_a_mapping(tmp_path: Path) -> None:
    columns = ParquetColumns(put(tmp_path, **TEXTS))
    assert (list(columns), len(columns), columns.rows) == (["text", "label"], 2, COUNT)
    assert columns == TEXTS
    assert columns.get("split") is None
