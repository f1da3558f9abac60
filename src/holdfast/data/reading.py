"""Files of data as bytes, lines or text: plain or gzip, UTF-8 or refused in one sentence."""

import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from holdfast.core.errors import BadData
from holdfast.core.files import open_regular

WHOLE = 1 << 31  # bytes of a file that is read into memory
STREAMED = 1 << 36  # of one that is read piece by piece
LINE = 1 << 26
BUFFER = 1 << 20
SMALL, RATIO = 1 << 26, 200  # gzip packs text 3 to 20 times, and nothing a thousand times but a bomb

NAMES_SHOWN = 12
MISSING = ("", "nan", "na", "n/a", "null")  # what is written where there is no value


@contextmanager
def open_file(path: Path, limit: int = STREAMED, wanted: str = "a data file") -> Iterator[io.BufferedReader]:
    """A file to read from, unpacked where its name ends in ``.gz``: every data file is read through this.

    It must be a regular one and have ``limit`` bytes at most, packed and unpacked.
    """
    with open_regular(path, limit, wanted) as file:
        try:
            yield io.BufferedReader(Unpacked(path, file, limit), BUFFER) if path.suffix == ".gz" else file
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise BadData(f"{path} is not a readable gzip file ({error})") from error


class Unpacked(io.RawIOBase):
    """What a gzip file holds, refused as soon as it is more than any data would unpack to."""

    def __init__(self, path: Path, file: io.BufferedReader, limit: int) -> None:
        self._path, self._file, self._limit, self._read = path, file, limit, 0
        self._unpacked = gzip.GzipFile(fileobj=file)

    def readable(self) -> bool:
        """Always true."""
        return True

    @property
    def place(self) -> int:
        """How much of the file was read."""
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        """Unpack as much as fits."""
        count = self._unpacked.readinto(buffer)
        self._read += count
        if self._read > self._limit or self._read > max(SMALL, RATIO * self._file.tell()):
            raise BadData(
                f"{self._path} unpacks to more than {min(self._read, self._limit):,} bytes: expected at most "
                f"{RATIO} times its size, and {self._limit:,} bytes: unpack it yourself if it is right"
            )
        return count


def place(file: io.BufferedReader) -> int:
    """How many bytes of the file itself were read, packed or not."""
    return file.raw.place if isinstance(file.raw, Unpacked) else file.tell()


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, unpacked where its name ends in ``.gz``."""
    try:
        with open_file(path, WHOLE) as file:
            return file.read()
    except OSError as error:
        raise BadData(f"cannot read {path}: {error.strerror}") from error


def byte_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file one by one, each with its line feed."""
    with open_file(path) as file:
        while line := file.readline(LINE):
            if len(line) == LINE:
                raise BadData(f"{path}: expected lines of less than {LINE:,} bytes, but one is longer")
            yield line


def text_lines(path: Path) -> Iterator[str]:
    """The same as text, which must be UTF-8."""
    for number, line in enumerate(byte_lines(path), 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise _not_utf8(path, line[error.start], number) from None


def read_text(path: Path, fallback: str | None = None) -> str:
    """The text of a file; one that is not UTF-8 is read as ``fallback``, or refused."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if fallback is not None:
            return data.decode(fallback)
        raise _not_utf8(path, data[error.start], data.count(b"\n", 0, error.start) + 1) from None


def read_lines(path: Path, fallback: str | None = None) -> list[str]:
    """The lines of a file; only a line feed ends a line, for texts hold every other separator."""
    lines = [line.removesuffix("\r") for line in read_text(path, fallback).split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def _not_utf8(path: Path, byte: int, line: int) -> BadData:
    return BadData(
        f"{path} is not UTF-8 text: byte 0x{byte:02x} in line {line} cannot be read; save the file as UTF-8"
    )


def find(relative: str, root: Path) -> Path | None:
    """The file ``root/relative``, or the same with ``.gz``."""
    for path in (root / relative, root / f"{relative}.gz"):
        if os.path.isfile(path):  # Path.is_file raises for a name too long
            return path
    return None


def roots(data_dir: Path | None) -> list[Path]:
    """Where data are looked for: the folder given, ``HOLDFAST_DATA``, the user's cache."""
    places = [] if data_dir is None else [data_dir]
    if os.environ.get("HOLDFAST_DATA"):
        places.append(Path(os.environ["HOLDFAST_DATA"]))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [*places, cache / "holdfast" / "data"]


def listed(names: Iterable[object], last: str = "and") -> str:
    """Names as a phrase.

    >>> listed(["a", "b", "c"]), listed(range(100))
    ('a, b and c', '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 88 more')
    """
    words = [str(name) for name in names]
    if len(words) > NAMES_SHOWN:
        words = [*words[:NAMES_SHOWN], f"{len(words) - NAMES_SHOWN} more"]
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "none"


def shown(text: object, limit: int = 40) -> str:
    """A value in quotes, shortened, on one line: fit for a message.

    >>> shown("a\\nb"), shown("x" * 100, 5)
    ("'a b'", "'xxxxx…'")
    """
    plain = " ".join(str(text).split())
    return f"'{plain[:limit]}…'" if len(plain) > limit else f"'{plain}'"
