"""Files as text: plain or gzip, UTF-8 or refused in one sentence."""

import gzip
import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from holdfast.core.errors import BadData

NAMES_SHOWN = 12
MISSING = ("", "nan", "na", "n/a", "null")  # what is written where there is no value


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, unpacked where its name ends in ``.gz``."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except FileNotFoundError:
        raise BadData(f"{path} does not exist: expected a data file") from None
    except IsADirectoryError:
        raise BadData(f"{path} is a directory: expected a data file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadData(f"{path} is not a readable gzip file ({error})") from error
    except OSError as error:
        raise BadData(f"cannot read {path}: {error.strerror}") from error


def read_text(path: Path, fallback: str | None = None) -> str:
    """The text of a file; one that is not UTF-8 is read as ``fallback``, or refused."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if fallback is not None:
            return data.decode(fallback)
        line = data.count(b"\n", 0, error.start) + 1
        raise BadData(
            f"{path} is not UTF-8 text: byte 0x{data[error.start]:02x} in line {line} cannot be read; "
            "save the file as UTF-8"
        ) from None


def read_lines(path: Path, fallback: str | None = None) -> list[str]:
    """The lines of a file; only a line feed ends a line, for texts hold every other separator."""
    lines = [line.removesuffix("\r") for line in read_text(path, fallback).split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def find(relative: str, root: Path) -> Path | None:
    """The file ``root/relative``, or the same with ``.gz``."""
    for path in (root / relative, root / f"{relative}.gz"):
        if path.is_file():
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
