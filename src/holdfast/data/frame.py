"""A table that is in memory: a data frame, an Arrow table, or columns by their names."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.core.errors import BadData
from holdfast.data.parquet_file import once
from holdfast.data.reading import shown

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "table"  # what a run calls it
EXPECTED = (
    "expected a name, a file, a data frame (pandas, polars, Arrow), or columns of equal length, as in "
    "{'text': [...], 'label': [...]}"
)


@dataclass(frozen=True, eq=False)
class Frame:
    """Columns by name, known by the SHA-256 of what they hold.

    >>> frame = Frame.of({"text": ["good", "bad"], "label": [1, 0]})
    >>> list(frame.columns), frame.columns["label"], len(frame.sha256)
    (['text', 'label'], [1, 0], 64)
    """

    table: "pa.Table"

    @classmethod
    def of(cls, data: object) -> "Frame":
        """Whatever Arrow takes for a table: a mapping of columns, a data frame of pandas, or any object with
        the Arrow PyCapsule interface, as those of polars and DuckDB have."""
        import pyarrow as pa

        try:
            table = pa.table({n: _rows(v) for n, v in data.items()} if isinstance(data, Mapping) else data)
            plain = pa.table([_plain(column) for column in table.columns], table.column_names)
        except (TypeError, ValueError, pa.ArrowException) as error:
            what = f"data of type {type(data).__name__}"
            raise BadData(f"cannot read {what} ({shown(error, 120)[1:-1]}): {EXPECTED}") from error
        once(Path(NAME), plain.column_names)
        if not len(plain):
            raise BadData("the table has no rows: expected some, with columns of texts and labels")
        return cls(plain)

    @property
    def columns(self) -> "FrameColumns":
        """The columns as lists, each made when it is used."""
        return FrameColumns(self.table)

    def numbers(self, said: Mapping[str, Any]) -> dict[str, str]:
        """The columns that hold texts as numbers, by what they are; nothing without ``ids``, or where it is
        said which column holds texts."""
        if said.get("text") is not None:
            return {}
        return {n: n for n in ("ids", "mask", "tokens") if {"ids", n} <= set(self.table.column_names)}

    @cached_property
    def sha256(self) -> str:
        """Of the names, types and values, however the table was made and cut into pieces."""
        total = hashlib.sha256(str(self.table.schema).encode())
        for batch in self.table.to_batches():
            total.update(batch.serialize())
        return total.hexdigest()


class FrameColumns(Mapping[str, list[Any]]):
    """The columns of a table in memory as lists."""

    def __init__(self, table: "pa.Table") -> None:
        self._table, self.rows = table, len(table)

    def __getitem__(self, name: str) -> list[Any]:
        if name not in self._table.column_names:
            raise KeyError(name)
        try:
            values: list[Any] = self._table.column(name).to_pylist()
        except (ValueError, OverflowError) as error:
            raise BadData(
                f"{NAME}: column {shown(name)} has values that cannot be read "
                f"({shown(error, 120)[1:-1]}): fix them, or name another column"
            ) from error
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.column_names)

    def __len__(self) -> int:
        return len(self._table.column_names)


def _rows(column: Any) -> Any:
    """A column; the rows of an array with two axes as lists."""
    return np.asarray(column).tolist() if getattr(column, "ndim", 1) == 2 else column


def _plain(column: "pa.ChunkedArray") -> "pa.Array":
    """A column in one piece, texts and categories as plain texts: libraries store the same text in several
    ways."""
    import pyarrow as pa

    whole = column.combine_chunks()
    if pa.types.is_dictionary(whole.type):
        whole = whole.dictionary_decode()
    return whole.cast(pa.large_string()) if str(whole.type) in ("string", "string_view") else whole
