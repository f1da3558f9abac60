from dataclasses import asdict, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from holdfast.core.files import sha256
from holdfast.study.measurement import (
    FamilyKey,
    Measurement,
    PartKey,
    QuantityKey,
    read_measurements,
    write_measurements,
)
from tests.study.tiny import flip

ROWS = [
    Measurement("sst2", "cnn", "none", "hold", 0.5, 0.25, 0.75, 300, explainer="attention"),
    Measurement(
        "sst2", "cnn:dim=8", "aswa", "stability", -1.5, by="confidence", bin="0.4", at=0.45, comparison="kl"
    ),
    Measurement('odd, "name"\n', "ü", "", "accuracy", 0.1 + 0.2),
]


def test_there_and_back(tmp_path: Path) -> None:
    digest = write_measurements(tmp_path / "results.parquet", ROWS)
    assert read_measurements(tmp_path / "results.parquet") == ROWS
    assert digest == sha256((tmp_path / "results.parquet").read_bytes())


def test_every_column_is_of_the_number_or_of_one_key() -> None:
    keys = (*FamilyKey._fields, *QuantityKey._fields, *PartKey._fields)
    number = ("value", "low", "high", "n", "at")
    assert sorted((*keys, *number)) == sorted(field.name for field in fields(Measurement))


def test_seconds_of_pairs_have_columns_of_their_own() -> None:
    about = {"other_explainer": "gradient", "other_model": "rnn", "other_repair": "none"}
    about |= {"comparison": "kl", "probe": "deletion"}
    row = Measurement("d", "cnn", "aswa", "tukey", 0.1, explainer="attention", **about)
    assert row.what == ("tukey", "attention", "gradient", "kl", "rnn", "none", "deletion")
    split = {"member": "0", "other_member": "1", "label": "good", "sentence": "2", "bin": "3"}
    assert Measurement("d", "cnn", "none", "x", 0.1, by="pair", **split).part == ("pair", *split.values())


def test_an_interval_ends_where_its_quantity_does(tmp_path: Path) -> None:
    row = Measurement(
        "ml-1m", "sasrec", "none", "dynamics", 0.4, -3.6, 4.4, 3, comparison="spearman", by="epoch"
    )
    assert (row.value, row.low, row.high) == (0.4, -1.0, 1.0)
    # of a run that was written without
    columns = {name: [value] for name, value in (asdict(row) | {"low": -3.6, "high": 4.4}).items()}
    pq.write_table(pa.table(columns, schema=_schema(tmp_path)), tmp_path / "older", write_page_checksum=True)
    assert read_measurements(tmp_path / "older") == [row]


def _schema(folder: Path) -> pa.Schema:
    write_measurements(folder / "none", [])
    return pq.read_schema(folder / "none")


def test_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    assert write_measurements(tmp_path / "a", ROWS) == write_measurements(tmp_path / "b", list(ROWS))
    assert write_measurements(tmp_path / "c", ROWS[:2]) != write_measurements(tmp_path / "b", ROWS)


def test_no_rows_are_a_table_too(tmp_path: Path) -> None:
    write_measurements(tmp_path / "none", [])
    assert read_measurements(tmp_path / "none") == []


def test_types_do_not_depend_on_the_rows(tmp_path: Path) -> None:
    write_measurements(tmp_path / "none", [])
    write_measurements(tmp_path / "some", ROWS)
    assert pq.read_schema(tmp_path / "none") == pq.read_schema(tmp_path / "some")


def test_a_flipped_bit_in_a_page_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    write_measurements(path, ROWS)
    column = pq.read_metadata(path).row_group(0).column(4)
    start = column.dictionary_page_offset or column.data_page_offset
    flip(path, start + column.total_compressed_size - 1)
    with pytest.raises((OSError, pa.ArrowException)):
        read_measurements(path)
