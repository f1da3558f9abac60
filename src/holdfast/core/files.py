"""Files that are never half-written: written aside, synced, renamed, and known by their SHA-256."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from holdfast.core.errors import BadRun


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


def write_json(path: Path, value: Any) -> str:
    """Write JSON, the same bytes for the same value."""
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return write(path, text.encode() + b"\n")


def read_json(path: Path) -> Any:
    """Read JSON; a missing or damaged file is a :class:`BadRun`."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise BadRun(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise BadRun(f"{path} is not readable JSON ({error}): start over with --fresh") from error


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, str] | None = None) -> str:
    """Write tensors as safetensors."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    # an empty dictionary beside no tensors would be written as a file that cannot be read
    return write(path, save(plain, dict(about) if about else None))


def read_tensors(path: Path, digest: str | None = None) -> dict[str, Tensor]:
    """Read safetensors; with ``digest``, only if the bytes are the very ones that were written."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadRun(f"cannot read {path}: {error.strerror}") from error
    if digest is not None and sha256(data) != digest:
        raise BadRun(f"{path} is damaged: its SHA-256 is not the one that was recorded")
    try:
        tensors: dict[str, Tensor] = dict(sorted(load(data).items()))  # else in another order each time
    except (SafetensorError, ValueError) as error:
        raise BadRun(f"{path} is not a readable safetensors file ({error})") from error
    return tensors


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
