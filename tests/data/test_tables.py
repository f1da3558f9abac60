import gzip
import json
import re
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from holdfast.core.errors import BadData
from holdfast.data.tables import column_names, read_table

TABLES = "a file that ends in .csv, .tsv, .jsonl or .parquet"
EMPTY = "expected a table with a column of texts and a column of labels"
ROWS = {"text": ['so "good", really\nyes', "bad"], "label": ["1", "01"]}


def refused(path: Path) -> str:
    with pytest.raises(BadData) as caught:
        read_table(path)
    return str(caught.value).replace(str(path), "FILE")


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_csv_keeps_quotes_newlines_and_labels_as_written(tmp_path: Path) -> None:
    text = '\ufefftext,label\r\n"so ""good"", really\nyes",1\r\nbad,01\r\n'
    assert read_table(written(tmp_path, "a.csv", text)).columns == ROWS
    assert read_table(written(tmp_path, "a.csv.gz", gzip.compress(text.encode()))).columns == ROWS


def test_tsv_with_and_without_quotes(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "a.tsv", 'text\tlabel\n"unclosed quote\t1\n"a ""b"""\t0\n'))
    assert table.columns == {"text": ['"unclosed quote', 'a "b"'], "label": ["1", "0"]}
    table = read_table(written(tmp_path, "b.tsv", 'text\tlabel\n"two\nlines"\t1\nb\t0\n'))
    assert table.columns == {"text": ["two\nlines", "b"], "label": ["1", "0"]}


def test_jsonl(tmp_path: Path) -> None:
    table = read_table(
        written(tmp_path, "a.jsonl", '{"text": "a", "label": true}\n\n{"text": "b", "more": 1}\n')
    )
    assert table.columns == {"text": ["a", "b"], "label": [True, None], "more": [None, 1]}


def test_parquet(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"text": ["a", "b"], "stars": [1.0, 2.0]}), tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").columns == {"text": ["a", "b"], "stars": [1.0, 2.0]}


def test_a_row_of_a_million_characters(tmp_path: Path) -> None:
    for name, line in (
        ("a.csv", '"{}",1'),
        ("a.tsv", "{}\t1"),
        ("a.jsonl", '{{"text": "{}", "label": "1"}}'),
    ):
        head = "" if name == "a.jsonl" else "text,label\n" if name == "a.csv" else "text\tlabel\n"
        table = read_table(written(tmp_path, name, head + line.format("x" * 3_000_000) + "\n"))
        assert len(table.columns["text"][0]) == 3_000_000


def test_a_directory(tmp_path: Path) -> None:
    assert refused(tmp_path) == f"FILE is a directory: expected {TABLES}"


def test_no_such_file(tmp_path: Path) -> None:
    assert refused(tmp_path / "a.csv") == f"FILE does not exist: expected {TABLES}"


@pytest.mark.parametrize(
    ("name", "ending"),
    [("a.xlsx", ".xlsx"), ("a", "none"), ("a.parquet.gz", ".parquet.gz"), ("a.txt.gz", ".txt.gz")],
)
def test_unknown_endings(tmp_path: Path, name: str, ending: str) -> None:
    message = refused(written(tmp_path, name, "x"))
    assert message == (
        f"FILE: expected {TABLES.replace('file', 'table')} (the first three also with .gz), "
        f"or .npz with images and labels, but its ending is {ending}"
    )


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.parquet"])
def test_an_empty_file(tmp_path: Path, name: str) -> None:
    assert refused(written(tmp_path, name, "")) == f"FILE is empty: {EMPTY}"
    if name != "a.parquet":
        assert refused(written(tmp_path, name, " \n\n")) == f"FILE is empty: {EMPTY}"


def test_a_header_only(tmp_path: Path) -> None:
    assert refused(written(tmp_path, "a.csv", "text,label\n")) == f"FILE has no rows: {EMPTY}"
    assert refused(written(tmp_path, "a.tsv", "text\tlabel")) == f"FILE has no rows: {EMPTY}"
    parquet.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "a.parquet")
    assert refused(tmp_path / "a.parquet") == f"FILE has no rows: {EMPTY}"


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    message = "FILE is not UTF-8 text: byte 0xe9 in line 2 cannot be read; save the file as UTF-8"
    assert (
        refused(written(tmp_path, "a.csv", b"text,label\nna\xefve caf\xe9\n".replace(b"\xef", b"i")))
        == message
    )


def test_columns_of_the_same_name(tmp_path: Path) -> None:
    message = "FILE has more than one column named 'text': expected every name once"
    assert refused(written(tmp_path, "a.csv", "text,text\na,b\n")) == message
    assert refused(written(tmp_path, "a.tsv", "text\ttext\na\tb\n")) == message
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    parquet.write_table(table, tmp_path / "a.parquet")
    assert refused(tmp_path / "a.parquet") == message


def test_damaged_files(tmp_path: Path) -> None:
    damaged = refused(written(tmp_path, "a.csv", "text,label\na,b\na,b,c\n"))
    assert re.fullmatch(r"FILE is not a readable table \(CSV parse error: .*\)", damaged)
    assert re.fullmatch(
        r"FILE is not a readable Parquet file \(.*\)", refused(written(tmp_path, "a.parquet", "no"))
    )
    assert re.fullmatch(
        r"FILE is not a readable gzip file \(.*\)", refused(written(tmp_path, "a.csv.gz", "no"))
    )
    cut = gzip.compress(b"text,label\n" * 99)[:-9]
    assert re.fullmatch(
        r"FILE is not a readable gzip file \(.*\)", refused(written(tmp_path, "b.csv.gz", cut))
    )
    broken = refused(written(tmp_path, "a.jsonl", '{"text": "a"}\n{"text": \n'))
    assert broken == "FILE: line 2 is not readable JSON (Expecting value: line 1 column 10 (char 9))"
    nested = refused(written(tmp_path, "a.jsonl", "[" * 200_000))
    assert nested.startswith("FILE: line 1 is not readable JSON (")
    listing = refused(written(tmp_path, "a.jsonl", json.dumps(["a", "b"])))
    assert listing == 'FILE: expected an object {…} in line 1, but got \'["a", "b"]\''


@pytest.mark.parametrize(
    "content", [b"\x00" * 100, b"\xff\xfe\x00", b'"', b'a,b\n"', b"\n\n,\n", b",,,\n1\n"]
)
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.parquet"])
def test_rubbish_is_read_or_refused_never_a_crash(tmp_path: Path, name: str, content: bytes) -> None:
    message = ""
    try:
        read_table(written(tmp_path, name, content))
    except BadData as error:
        message = str(error)
    assert "\n" not in message


def test_names_are_read_without_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbf\r\na,"b, c"\r\n\xff')
    assert column_names(path) == ["a", "b, c"]
    path.write_text("a\ta\n")
    with pytest.raises(BadData, match=r"has more than one column named 'a': expected every name once"):
        column_names(path, tab=True)
