"""The idx format of MNIST: a magic number, the sizes of the axes, then bytes."""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt8
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.data.image.build import Images, Pool
from holdfast.data.reading import read_bytes

BYTES = 8  # the format's number for unsigned bytes


def read_idx(path: Path, axes: int) -> UInt8[Tensor, "..."]:
    """The bytes of an idx file (plain or ``.gz``) with so many axes.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "labels"
    ...     _ = path.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 9]))
    ...     read_idx(path, 1)
    tensor([7, 9], dtype=torch.uint8)
    """
    data = read_bytes(path)
    if data[:4] != bytes([0, 0, BYTES, axes]):
        got = data[:4].hex(" ") or "nothing"
        raise BadData(
            f"{path}: expected an idx file of bytes with {axes} axes (00 00 08 0{axes}), "
            f"but it begins with {got}"
        )
    sizes = [int.from_bytes(data[4 * n : 4 * n + 4], "big") for n in range(1, axes + 1)]
    start, wanted = 4 + 4 * axes, math.prod(sizes)
    if len(data) - start != wanted:
        shape = " × ".join(map(str, sizes))
        raise BadData(f"{path}: expected {wanted} bytes for {shape}, but got {max(0, len(data) - start)}")
    return torch.from_numpy(np.frombuffer(data, np.uint8, offset=start).copy()).reshape(sizes)


def idx_files(folder: str) -> Mapping[str, tuple[str, ...]]:
    """The four files, by role, as they are published."""
    names = {"train": "train", "test": "t10k"}
    images = {role: (f"{folder}/{name}-images-idx3-ubyte",) for role, name in names.items()}
    return images | {
        f"{role}-labels": (f"{folder}/{name}-labels-idx1-ubyte",) for role, name in names.items()
    }


def idx_pool(name: str, classes: tuple[str, ...], files: Mapping[str, Path]) -> Pool:
    """Read the four files."""
    train, test = (_part(files[role], files[f"{role}-labels"], classes) for role in ("train", "test"))
    if train.pixels.shape[1:] != test.pixels.shape[1:]:
        raise BadData(f"{files['test']}: expected images as large as those of {files['train']}")
    return Pool(name, classes, train, test)


def _part(images: Path, labels: Path, classes: tuple[str, ...]) -> Images:
    pixels, numbers = read_idx(images, 3), read_idx(labels, 1)
    if len(pixels) != len(numbers):
        raise BadData(
            f"{labels}: expected {len(pixels)} labels, one for each image of {images}, but got {len(numbers)}"
        )
    if len(numbers) and int(numbers.max()) >= len(classes):
        raise BadData(f"{labels}: expected labels from 0 to {len(classes) - 1}, but got {int(numbers.max())}")
    return Images(pixels, numbers.long())
