"""Parquet files: opened, bounded, and read a column at a time."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import BadData
from holdfast.data.reading import WHOLE, open_file, shown

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

ROWS = 1 << 30  # a few bytes can say that there are any number of them
TEXTS = 1 << 26  # rows that become Python's own values
BLOCK = 1 << 12


@contextmanager
def open_parquet(path: Path, rows: int = ROWS) -> "Iterator[ParquetFile]":
    """A Parquet file with that many rows at most, every name once; whatever is wrong is one sentence."""
    import pyarrow as pa
    from pyarrow import parquet

    with open_file(path) as raw:
        try:
            with parquet.ParquetFile(raw) as file:
                once(path, file.schema_arrow.names)
                if file.metadata.num_rows > rows:
                    raise BadData(f"{path} has {file.metadata.num_rows:,} rows: expected {rows:,} at most")
                yield file
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            raise BadData(f"{path} is not a readable Parquet file ({shown(error, 120)[1:-1]})") from error


def once(path: Path, names: Sequence[str]) -> list[str]:
    """The names of columns, if none is there twice."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadData(f"{path} has more than one column named {shown(twice[0])}: expected every name once")
    return list(names)


class ParquetColumns(Mapping[str, list[Any]]):
    """The columns of a file as lists, each read when it is used; the others are not checked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with open_parquet(path, TEXTS) as file:
            self._names: list[str] = list(file.schema_arrow.names)
            self.rows = int(file.metadata.num_rows)

    def __getitem__(self, name: str) -> list[Any]:
        if name not in self._names:
            raise KeyError(name)
        with open_parquet(self._path, TEXTS) as file:
            try:
                return self._read(file, name)
            except (ValueError, OverflowError) as error:
                raise BadData(
                    f"{self._path}: column {shown(name)} has values that cannot be read "
                    f"({shown(error, 120)[1:-1]}): fix them, or name another column"
                ) from error

    def _read(self, file: "ParquetFile", name: str) -> list[Any]:
        values: list[Any] = []
        size = 0
        for block in file.iter_batches(BLOCK, columns=[name]):
            size += block.nbytes  # of what a dictionary stands for, so that a small file may hold very much
            if size > WHOLE:
                raise BadData(f"{self._path}: column {shown(name)} has more than {WHOLE:,} bytes: use fewer")
            values += block.column(name).to_pylist()
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
