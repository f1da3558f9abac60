"""Arrays of numbers in files of NumPy: ``.npz`` with names, ``.npy`` with a single one."""

import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from holdfast.core.errors import BadData
from holdfast.data.reading import WHOLE, open_file, shown

# whatever numpy raises for bytes that are no arrays, or for a header that promises what cannot be
UNREADABLE = (
    ValueError, TypeError, OSError, EOFError, MemoryError, OverflowError, RuntimeError, SyntaxError,
    TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def read_arrays(
    path: Path, choose: Callable[[Sequence[str]], Sequence[str]], wanted: str
) -> list[NDArray[Any]]:
    """The arrays whose names ``choose`` takes from those of the file; a ``.npy`` has one, without a name.

    ``wanted`` says what the file should be. Nothing in it is ever run, and what it unpacks to is bounded.
    """
    with open_file(path, WHOLE, wanted) as file:
        try:
            loaded = np.load(file, allow_pickle=False)
            arrays = [_array(path, loaded, name, wanted) for name in choose(_names(loaded))]
        except UNREADABLE as error:
            why = shown(error, 120)[1:-1]
            raise BadData(f"{path} is not a readable NumPy file ({why}): expected {wanted}") from error
    return arrays


def _names(loaded: Any) -> Sequence[str]:
    return loaded.files if isinstance(loaded, NpzFile) else [""]


def _array(path: Path, loaded: Any, name: str, wanted: str) -> NDArray[Any]:
    if isinstance(loaded, NpzFile):
        assert loaded.zip is not None
        size = max(
            one.file_size for one in loaded.zip.infolist() if one.filename.removesuffix(".npy") == name
        )
        if size > WHOLE:
            raise BadData(f"{path}: '{name}' unpacks to {size:,} bytes: expected at most {WHOLE:,}")
    array: Any = loaded[name] if isinstance(loaded, NpzFile) else loaded
    if not isinstance(array, np.ndarray):
        raise BadData(f"{path}: expected {wanted}, but '{name}' in it is no array: save it with numpy.savez")
    return array
