"""JSON notes with a checksum inside, so that damage is noticed."""

from pathlib import Path
from typing import Any

from holdfast.core.errors import BadRun
from holdfast.core.files import json_bytes, read_bytes, read_json, sha256, write

SEAL = "checksum"


def write_sealed(path: Path, note: dict[str, Any]) -> str:
    """Write a note with its checksum; returns the SHA-256 of the file."""
    return write(path, _sealed(note))


def read_sealed(path: Path) -> dict[str, Any]:
    """Read back what :func:`write_sealed` wrote; a file in which a single bit has changed is refused.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_sealed(Path(folder) / "note.json", {"best": 3})
    ...     read_sealed(Path(folder) / "note.json")
    {'best': 3}
    """
    note = read_json(path)
    if isinstance(note, dict) and note.pop(SEAL, None) is not None and _is_sealed(note, read_bytes(path)):
        return note
    raise BadRun(f"{path} is damaged: its content is not what its {SEAL} says")


def _is_sealed(note: dict[str, Any], data: bytes) -> bool:
    try:
        return _sealed(note) == data
    except (ValueError, RecursionError):  # JSON that can be read, but that `json_bytes` does not write
        return False


def _sealed(note: dict[str, Any]) -> bytes:
    return json_bytes(note | {SEAL: sha256(json_bytes(note))})
