"""Pre-trained word vectors: GloVe and fastText text files, and a NumPy archive with its list of words."""

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.errors import BadData, UnknownName
from holdfast.core.files import look
from holdfast.data.arrays import read_arrays
from holdfast.data.reading import byte_lines, find, listed, read_lines, roots

HOME = "the GloVe page of the Stanford NLP group (nlp.stanford.edu/projects/glove, glove.6B.zip)"
ARCHIVES = {100: ["glove-100d/glove_6B_100d_subset_f16.npz"]}
NAMED = {
    f"glove-{size}d": [*ARCHIVES.get(size, []), f"glove-{size}d/glove.6B.{size}d.txt"]
    for size in (50, 100, 200, 300)
}
TEXT_ENDINGS = (".txt", ".vec", ".txt.gz", ".vec.gz")


def locate(vectors: str, data_dir: Path | None = None) -> list[Path]:
    """The files behind a name or a path; an archive comes with its list of words."""
    if vectors in NAMED:
        path = _named(vectors, data_dir)
    else:
        path = Path(vectors)
        if not os.path.exists(path) and not path.suffix:
            raise UnknownName("vectors", vectors, NAMED)
        _check_path(path)
    if path.suffix != ".npz":
        return [path]
    words = find("words.txt", path.parent)
    if words is None:
        raise BadData(
            f"{path} needs its list of words beside it: expected {path.parent / 'words.txt'} (or .gz)"
        )
    return [path, words]


def read_vectors(files: Sequence[Path], words: Sequence[str]) -> Float[Tensor, "V D"]:
    """One row for each word, zeros where the files have none; only rows of these words are kept."""
    index = {word: number for number, word in enumerate(words)}
    path, *lists = files
    rows = _from_archive(path, lists[0], index) if lists else _from_text(path, index)
    return torch.from_numpy(rows)


def coverage(rows: Float[Tensor, "V D"]) -> float:
    """The share of words that have a vector."""
    return float((rows != 0).any(1).double().mean()) if len(rows) else 0.0


def _named(name: str, data_dir: Path | None) -> Path:
    places = roots(data_dir)
    for root in places:
        for relative in NAMED[name]:
            if path := find(relative, root):
                return path
    raise BadData(
        f"vectors '{name}' need {listed(NAMED[name], 'or')} (plain or .gz), published on {HOME}: "
        f"put the file into {places[0]} (looked in {listed(places)})"
    )


def _check_path(path: Path) -> None:
    look(path, "a file of word vectors")
    if path.suffix != ".npz" and not path.name.endswith(TEXT_ENDINGS):
        raise BadData(f"{path}: expected word vectors that end in .npz, {listed(TEXT_ENDINGS, 'or')}")


def _from_archive(archive: Path, words: Path, index: dict[str, int]) -> NDArray[np.float32]:
    (table,) = read_arrays(archive, lambda names: _vectors(archive, names), "a .npz file of word vectors")
    names = read_lines(words)
    if table.ndim != 2 or table.dtype.kind != "f" or len(table) != len(names):
        raise BadData(
            f"{archive}: expected one row of numbers for each of the {len(names):,} words in {words.name}, "
            f"but got an array of {table.dtype} of shape {table.shape}"
        )
    kept = [(index[name], row) for row, name in enumerate(names) if name in index]
    rows = np.zeros((len(index), table.shape[1]), dtype=np.float32)
    for number, row in reversed(kept):
        rows[number] = table[row]
    return _finite(archive, rows)


def _vectors(archive: Path, names: Sequence[str]) -> Sequence[str]:
    if "vectors" not in names:
        raise BadData(f"{archive} has no array 'vectors': save it with numpy.savez(…, vectors=…)")
    return ("vectors",)


def _from_text(path: Path, index: dict[str, int]) -> NDArray[np.float32]:
    return _finite(path, _stream(path, byte_lines(path), index))


def _stream(path: Path, file: Iterator[bytes], index: dict[str, int]) -> NDArray[np.float32]:
    wanted = {word.encode(errors="replace"): number for word, number in index.items()}
    first, lines = _without_header(file)
    size = len(first.split()) - 1
    if size < 1:
        raise BadData(f"{path}: expected lines 'word number number …', but the first has no numbers")
    rows = np.zeros((len(index), size), dtype=np.float32)
    for number, line in enumerate(lines, 1):
        # some published files have words with spaces in them, so the numbers are counted from the right
        word, *values = line.rstrip().rsplit(b" ", size)
        place = wanted.pop(word, None)
        if place is not None:
            rows[place] = _numbers(path, number, values, size)
        if not wanted:
            break
    return rows


def _without_header(file: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first line with a vector, and all of them; fastText's first line is only two counts."""
    first = next(file, b"")
    parts = first.split()
    if len(parts) == 2 and all(part.isdigit() for part in parts):
        first = next(file, b"")
    return first, chain([first], file)


def _numbers(path: Path, number: int, values: Sequence[bytes], size: int) -> NDArray[np.float32]:
    try:
        row = np.array([float(value) for value in values], dtype=np.float32)
    except ValueError:
        row = np.zeros(0, dtype=np.float32)
    if len(row) != size:
        raise BadData(
            f"{path}: expected a word and {size} numbers in vector {number:,}, but got something else"
        )
    return row


def _finite(path: Path, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    if not np.isfinite(rows).all():
        raise BadData(f"{path}: expected finite numbers, but some vectors hold NaN or infinity")
    return rows
