"""Any images: a ``.npz`` file with ``images`` and ``labels``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.files import look
from holdfast.data.arrays import read_arrays
from holdfast.data.divide import THIRDS, divide
from holdfast.data.image.build import Cut, Images, Pool, check_steps, image_dataset
from holdfast.data.image.dataset import ImageDataset
from holdfast.data.reading import listed

ENDING = ".npz"
WANTED = f"a {ENDING} file with images and labels"
WHITE = 255
LEAST = 3  # images of a class: one to train on, one to validate, one to test


def read_images(path: Path, name: str, steps: int | None, limit: int | None = None) -> ImageDataset:
    """Read, split (70/10/20 % of every class) and cut the images; whatever is wrong is one sentence.

    Bytes are taken as they are (255 is white); other numbers are scaled by the largest.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "dots.npz"
    ...     np.savez(path, images=np.eye(4, dtype=np.uint8)[None].repeat(20, 0), labels=[0, 1] * 10)
    ...     read_images(path, "dots", steps=2).task.strip
    (2, 4, 2)
    """
    pixels, labels = _arrays(path)
    classes, numbers = _classes(path, labels)
    images = Images(torch.from_numpy(_bytes(path, pixels)), torch.from_numpy(numbers).long())
    width = pixels.shape[2]
    if steps is None:
        raise BadSetting(
            f"{path} holds images {width} pixels wide: set steps, the number of strips to cut them into"
        )
    check_steps(steps, width, str(path))
    _, validation, test = divide(numbers.tolist(), THIRDS, name)
    note = f"{path.name} has no splits: a seeded, stratified split of 70/10/20 % is used."
    pool = Pool(name, classes, images.without(test), images.take(test), (note,))
    return image_dataset(name, pool, Cut(steps, limit=limit, validation=len(validation)))


def check_images(path: Path) -> None:
    """A sentence for a file that cannot be read at all."""
    look(path, WANTED)


def _arrays(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    """The images and the labels, in shapes that fit."""
    images, labels = read_arrays(path, lambda names: _named(path, names), WANTED)
    if images.ndim == 3 and not len(images):
        raise BadData(f"{path} has no images: expected some, with a label for each")
    if images.ndim != 3 or 0 in images.shape:
        raise BadData(f"{path}: expected images of shape (number, height, width), but got {images.shape}")
    if labels.shape != images.shape[:1]:
        raise BadData(
            f"{path}: expected {len(images)} labels, one for each image, but got shape {labels.shape}"
        )
    return images, labels


def _named(path: Path, names: Sequence[str]) -> Sequence[str]:
    if "" in names:
        raise BadData(f"{path} holds one array without a name: save images and labels with numpy.savez")
    for name in ("images", "labels"):
        if name not in names:
            raise BadData(f"{path} has no array '{name}': it holds {listed(names)}")
    return "images", "labels"


def _bytes(path: Path, images: NDArray[Any]) -> NDArray[np.uint8]:
    if images.dtype.kind not in "fiub":
        raise BadData(f"{path}: expected images of numbers, but got the type {images.dtype}")
    if not images.any():
        raise BadData(f"{path}: expected images to learn from, but every pixel of all of them is 0")
    if images.dtype == np.uint8:
        return images
    values = images.astype(np.float64)
    if not np.isfinite(values).all():
        row = int((~np.isfinite(values)).any((1, 2)).argmax())
        raise BadData(f"{path}: expected finite numbers, but image {row} has a NaN or an infinity")
    if values.min() < 0:
        raise BadData(
            f"{path}: expected intensities from 0 (background) up, but they go from "
            f"{values.min():g} to {values.max():g}"
        )
    scaled: NDArray[np.uint8] = np.rint(values * (WHITE / values.max())).astype(np.uint8)
    return scaled


def _classes(path: Path, labels: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise BadData(f"{path}: expected a label for every image, but some are NaN")
    if labels.dtype.kind == "f" and (labels == np.rint(labels)).all():
        labels = labels.astype(np.int64)
    if labels.dtype.kind == "f" or (labels.dtype.kind == "U" and (np.char.strip(labels) == "").any()):
        raise BadData(f"{path}: expected labels that are whole numbers or words, but some are not")
    names, numbers = np.unique(labels, return_inverse=True)
    counts = np.bincount(numbers)
    if len(names) < 2:
        raise BadData(f"{path}: expected two classes or more, but every label is '{names[0]}'")
    if counts.min() < LEAST:
        few = names[counts.argmin()]
        raise BadData(
            f"{path}: expected {LEAST} images of every class or more, but class '{few}' has {counts.min()}"
        )
    return tuple(map(str, names.tolist())), numbers.astype(np.int64)
