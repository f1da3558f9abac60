"""Data sets as files: whatever kind was saved is loaded again."""

import json
from pathlib import Path

from safetensors import SafetensorError, safe_open

from holdfast.core.errors import BadRun, UnknownName
from holdfast.data.base import Dataset
from holdfast.data.modality import modality
from holdfast.data.saved import FOREIGN, unpack

OLDEST = "text"  # a file that does not say what it holds


def load_dataset(path: Path) -> Dataset:
    """Read back a data set; the file says of which kind it is.

    >>> from tempfile import TemporaryDirectory
    >>> from holdfast.data.source import Source, load
    >>> with TemporaryDirectory() as folder:
    ...     _ = load(Source("digits")).save(Path(folder) / "data.safetensors")
    ...     load_dataset(Path(folder) / "data.safetensors").task.strip
    (4, 8, 2)
    """
    try:
        kind = modality(_kind(path))
    except UnknownName as error:
        raise BadRun(f"{path} was written by another version ({error}): start over with --fresh") from error
    return kind.dataset.load(path)


def _kind(path: Path) -> str:
    try:
        with safe_open(path, "pt") as file:
            about = json.loads(unpack(file.get_tensor("about")))
            return str(about.get("kind", OLDEST))
    except OSError as error:
        raise BadRun(f"cannot read {path}: {error.strerror or error}") from error
    except (SafetensorError, ValueError, AttributeError) as error:
        raise BadRun(FOREIGN.format(path)) from error
