"""Texts to explain, one a line, from a file or from standard input."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from holdfast.core.errors import BadData
from holdfast.data.reading import open_file

MOST = 200  # texts
LONGEST = 100_000  # bytes of a line
WANTED = "a file with one text a line"


class Texts(NamedTuple):
    """The texts, and how many empty lines were skipped."""

    texts: tuple[str, ...]
    skipped: int = 0


def read_texts(source: Path | BinaryIO) -> Texts:
    """The lines of a file, or of an open stream, that are not empty: at most 200."""
    if isinstance(source, Path):
        with open_file(source, wanted=WANTED) as file:
            return _texts(file, str(source))
    return _texts(source, "standard input")


def _texts(file: BinaryIO, name: str) -> Texts:
    texts, skipped = [], 0
    for line in _lines(file, name):
        texts += [line] if line else []
        skipped += not line
        if len(texts) > MOST:
            raise BadData(f"{name}: expected at most {MOST} texts, but there are more: split it")
    if not texts:
        raise BadData(f"{name} has no text: expected one text a line")
    return Texts(tuple(texts), skipped)


def _lines(file: BinaryIO, name: str) -> Iterator[str]:
    for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), 1):
        if len(line) > LONGEST:
            raise BadData(f"{name}: expected lines of at most {LONGEST:,} bytes, but line {number} is longer")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError as error:
            raise BadData(
                f"{name} is not UTF-8 text: byte 0x{line[error.start]:02x} in line {number} cannot be read; "
                "save it as UTF-8"
            ) from None
