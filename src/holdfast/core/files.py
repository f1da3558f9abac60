"""Files: only regular ones are read; each is written aside, synced and renamed, so that none is ever
half-written, and recorded by its SHA-256."""

import hashlib
import io
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from holdfast.core.errors import BadData, BadRun
from holdfast.core.plain import short

LARGEST, JSON = 2**40, 2**30  # bytes of a run's file, and of one of JSON


def look(path: Path, wanted: str = "a file") -> int:
    """The size of a regular file, links followed; anything else is refused before it is opened."""
    try:
        return _size(path, os.stat(path), wanted)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, wanted) from None


@contextmanager
def open_regular(path: Path, limit: int, wanted: str = "a file") -> Iterator[io.BufferedReader]:
    """Open a file that a user named, if it is a regular file of at most ``limit`` bytes.

    Reading a pipe without a writer would block, and a device has no end.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, wanted) from None
    try:
        size = _size(path, os.fstat(handle), wanted)
    except BadData:
        os.close(handle)
        raise
    with os.fdopen(handle, "rb") as file:
        if size > limit:
            raise BadData(f"{short(path)} has {size:,} bytes: expected {wanted} of at most {limit:,}")
        yield file


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file that has at most ``limit`` of them.

    >>> read_regular(Path("/dev/zero"), 100)
    Traceback (most recent call last):
    ...
    holdfast.core.errors.BadData: /dev/zero is a device or a pipe: expected a file, so copy its data into one
    """
    with open_regular(path, limit) as file:
        data = file.read(limit + 1)
    if len(data) > limit:  # it grew meanwhile, or claims to be empty, as files in /proc do
        raise BadData(f"{short(path)} has more bytes than it says: expected a file of at most {limit:,}")
    return data


def _size(path: Path, about: os.stat_result, wanted: str) -> int:
    if stat.S_ISDIR(about.st_mode):
        raise BadData(f"{short(path)} is a directory: expected {wanted}")
    if not stat.S_ISREG(about.st_mode):
        raise BadData(f"{short(path)} is a device or a pipe: expected {wanted}, so copy its data into one")
    return about.st_size


def _unreadable(path: Path, error: OSError | ValueError, wanted: str) -> BadData:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return BadData(f"{short(path)} does not exist: expected {wanted}")
    why = error.strerror if isinstance(error, OSError) else error  # a zero byte in a name
    return BadData(f"cannot read {short(path)}: {why}: expected {wanted}")


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write(path: Path, data: bytes) -> str:
    """Put ``data`` at ``path`` so that a reader sees all of it or none of it; returns its SHA-256."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    _sync_folder(path.parent)
    return sha256(data)


def json_bytes(value: Any) -> bytes:
    """JSON, the same bytes for the same value."""
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"


def write_json(path: Path, value: Any) -> str:
    """Write JSON, the same bytes for the same value."""
    return write(path, json_bytes(value))


def read_json(path: Path) -> Any:
    """Read JSON of a run; a missing or damaged file is a :class:`BadRun`."""
    try:
        return json.loads(read_bytes(path, JSON))
    except (ValueError, RecursionError) as error:
        what = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise BadRun(f"{short(path)} is not readable JSON ({what})") from error


def read_bytes(path: Path, limit: int = LARGEST) -> bytes:
    """The bytes of a run's file, which must be a regular one."""
    try:
        with open_regular(path, limit) as file:
            return file.read()
    except BadData as error:
        raise BadRun(str(error)) from None


def digest_of(path: Path, limit: int) -> str:
    """The SHA-256 of a regular file of at most ``limit`` bytes."""
    whole = hashlib.sha256()
    with open_regular(path, limit) as file:
        while part := file.read(2**20):
            whole.update(part)
    return whole.hexdigest()


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, str] | None = None) -> str:
    """Write tensors as safetensors."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    # with no tensors and an empty dictionary, `save` writes a file that cannot be read
    return write(path, save(plain, dict(about) if about else None))


def read_tensors(path: Path, digest: str | None = None, limit: int = LARGEST) -> dict[str, Tensor]:
    """Read safetensors; with ``digest``, only if the file has this SHA-256."""
    data = read_bytes(path, limit)
    if digest is not None and sha256(data) != digest:
        raise BadRun(f"{path} is damaged: its SHA-256 is not the one that was recorded")
    try:
        tensors: dict[str, Tensor] = dict(sorted(load(data).items()))  # `load` returns them in random order
    except (SafetensorError, ValueError) as error:
        raise BadRun(f"{path} is not a readable safetensors file ({error})") from error
    return tensors


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
