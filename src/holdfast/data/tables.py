"""Tables with named columns: CSV, TSV, JSON Lines (also ``.gz`` of these) and Parquet."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.core.errors import BadData
from holdfast.core.files import look
from holdfast.data.frame import FrameColumns
from holdfast.data.parquet_file import ParquetColumns, once
from holdfast.data.reading import listed, read_text, shown, text_lines

ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
MOST_COLUMNS = 1000  # of objects, whose columns are in every row but for a few


@dataclass(frozen=True)
class Table:
    """Columns by name; every value is text, a number, a truth value, or ``None``."""

    path: Path
    columns: Mapping[str, list[Any]]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def __len__(self) -> int:
        if isinstance(self.columns, ParquetColumns | FrameColumns):
            return self.columns.rows
        return len(next(iter(self.columns.values()), []))


def read_table(path: Path) -> Table:
    """Read a table, by the ending of its name."""
    ending = check_file(path)
    readers: dict[str, Callable[[Path], Mapping[str, list[Any]]]] = {
        ".csv": _csv,
        ".tsv": _tsv,
        ".jsonl": _jsonl,
        ".parquet": ParquetColumns,
    }
    table = Table(path, readers[ending](path))
    if len(table) == 0:
        raise BadData(f"{path} has no rows: expected a table with a column of texts and a column of labels")
    return table


def check_file(path: Path) -> str:
    """The ending by which a file is read; one that cannot be a table is refused."""
    size = look(path, f"a file that ends in {listed(ENDINGS, 'or')}")
    ending = _ending(path)
    if size == 0:
        raise BadData(f"{path} is empty: expected a table with a column of texts and a column of labels")
    return ending


def _ending(path: Path) -> str:
    ending = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if ending not in ENDINGS or path.name.endswith(".parquet.gz"):
        got = "".join(path.suffixes[-2:]) or "none"
        raise BadData(
            f"{path}: expected a table that ends in {listed(ENDINGS, 'or')} (the first three also with .gz), "
            f"or .npz with images and labels, but its ending is {got}"
        )
    return ending


def _csv(path: Path) -> dict[str, list[Any]]:
    text = _some_text(path)
    return parse_csv(path, text, _header(path, text))


def parse_csv(
    path: Path, text: str, names: Sequence[str], *, header: bool = True, tab: bool = False
) -> dict[str, list[Any]]:
    """The columns of quoted text, every value as it is written; without ``header`` the names are ours."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    data = text.encode()
    # one block, so that a row of any length fits; strings only, so that labels stay as they are written
    ours = None if header else list(names)
    read = arrow.ReadOptions(block_size=len(data) + 1, use_threads=False, column_names=ours)
    parse = arrow.ParseOptions(delimiter="\t" if tab else ",", newlines_in_values=True)
    as_text = arrow.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    try:
        table = arrow.read_csv(io.BytesIO(data), read, parse, as_text)
    except pa.ArrowException as error:
        raise BadData(f"{path} is not a readable table ({shown(error, 120)[1:-1]})") from error
    return {name: table.column(name).to_pylist() for name in once(path, table.column_names)}


def _tsv(path: Path) -> dict[str, list[Any]]:
    text = _some_text(path)
    names = _header(path, text, tab=True)
    lines = [line.removesuffix("\r") for line in text.split("\n") if line.strip("\r")]
    rows = [line.split("\t") for line in lines]
    if all(len(row) == len(names) for row in rows):
        # every line is a row: quotes are part of the text, unless they hold a whole field
        return {name: [unquoted(row[i]) for row in rows[1:]] for i, name in enumerate(names)}
    return parse_csv(path, text, names, tab=True)


def unquoted(field: str) -> str:
    """A field without the quotes that some writers put around it.

    >>> unquoted('"so ""good"" !"'), unquoted('"good" film')
    ('so "good" !', '"good" film')
    """
    inner = field[1:-1]
    if len(field) < 2 or field[0] != '"' or field[-1] != '"' or '"' in inner.replace('""', ""):
        return field
    return inner.replace('""', '"')


def column_names(path: Path, *, tab: bool = False) -> list[str]:
    """The names in the first line, read without reading the rest."""
    first = next((line for line in text_lines(path) if line.strip("\r\n")), "")
    return _header(path, first, tab=tab)


def _header(path: Path, text: str, *, tab: bool = False) -> list[str]:
    first = text[: text.find("\n") + 1] or text
    try:
        names = next(csv.reader(io.StringIO(first), delimiter="\t" if tab else ","), [])
    except csv.Error as error:
        raise BadData(f"{path} has no readable first line of column names ({error})") from error
    return once(path, names)


def _jsonl(path: Path) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    rows = 0
    for number, line in enumerate(_some_text(path).split("\n"), 1):
        if not line.strip():
            continue
        for name, value in _json_object(path, number, line).items():
            # a column that starts late was missing in every row before
            columns.setdefault(name, [None] * rows).append(value)
        if len(columns) > MOST_COLUMNS:
            raise BadData(
                f"{path} has more than {MOST_COLUMNS:,} columns up to line {number}: expected fewer"
            )
        rows += 1
        for values in columns.values():
            values.extend([None] * (rows - len(values)))
    return columns


def _json_object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadData(f"{path}: line {number} is not readable JSON ({shown(error, 120)[1:-1]})") from error
    if not isinstance(value, dict):
        raise BadData(f"{path}: expected an object {{…}} in line {number}, but got {shown(line)}")
    return value


def _some_text(path: Path) -> str:
    text = read_text(path).lstrip("\r\n")
    if not text.strip():
        raise BadData(f"{path} is empty: expected a table with a column of texts and a column of labels")
    return text
