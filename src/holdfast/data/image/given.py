"""One new image, from a ``.npz`` or ``.npy`` file, in the shape and scale of a data set of images."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Batch
from holdfast.data.arrays import read_arrays
from holdfast.data.image.dataset import ImageDataset, to_strips
from holdfast.data.image.file import WHITE
from holdfast.data.reading import listed, shown

ENDINGS = (".npz", ".npy")
NAMES = ("images", "image")
ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class GivenImage:
    """An image as it is shown, from 0, the background, to ``white``.

    >>> one = GivenImage(torch.tensor([[0.0, 4.0, 8.0, 8.0]]), white=8)
    >>> one.batch(steps=2).inputs.tolist(), one.pixels.tolist()
    ([[[[-1.0, 0.0]], [[1.0, 1.0]]]], [[0.0, 0.5, 1.0, 1.0]])
    """

    values: Float[Tensor, "H W"]
    white: int

    @property
    def pixels(self) -> Float[Tensor, "H W"]:
        """The image in [0, 1], for drawing."""
        return self.values / self.white

    def batch(self, steps: int) -> Batch:
        """It alone, cut into strips in [−1, 1], as models read it."""
        inputs = to_strips(self.values.mul(2 / self.white).sub(1)[None], steps).contiguous()
        return Batch(inputs, torch.ones(inputs.shape[:2], dtype=torch.bool))


def names_images(text: str) -> bool:
    """Whether a text is the name of a file of images, there or not.

    >>> names_images("digits/three.npy"), names_images("I saved it as .npy")
    (True, False)
    """
    return text.lower().endswith(ENDINGS) and (not any(map(str.isspace, text)) or os.path.isfile(text))


def read_image(path: Path, dataset: ImageDataset, row: int = 0) -> GivenImage:
    """Image ``row`` of a file, if it is one of the data set's kind; whatever is wrong is one sentence.

    Whole numbers go up to the data set's own white, or to 255; others, as booleans, from 0 to 1. Several
    images share one scale.
    """
    images = _shaped(path, _array(path), dataset)
    if not 0 <= row < len(images):
        raise BadSetting(f"{path}: expected --row from 0 to {len(images) - 1}, but got {row}")
    white = _white(path, images, dataset.splits["test"].top)
    return GivenImage(torch.from_numpy(images[row].astype(np.float32)).clamp(0, white), white)


def _array(path: Path) -> NDArray[Any]:
    """The only array of a file, or the one that is called ``images`` (or ``image``)."""
    wanted = f"a {' or '.join(ENDINGS)} file with an image"
    if path.suffix.lower() not in ENDINGS:
        exists = os.path.exists(path)  # Path.exists raises for a text too long to be a name
        raise BadData(f"{path}: expected {wanted}" if exists else f"expected {wanted}, but got {shown(path)}")
    (array,) = read_arrays(path, lambda names: _chosen(path, names), wanted)
    if array.dtype.kind not in "fiub":
        raise BadData(f"{path}: expected an image of numbers, but got the type {array.dtype}")
    return array


def _chosen(path: Path, names: Sequence[str]) -> Sequence[str]:
    named = [name for name in NAMES if name in names]
    if not named and len(names) != 1:
        raise BadData(f"{path} has no array 'images': it holds {listed(names)}")
    return (named or names)[:1]


def _shaped(path: Path, array: NDArray[Any], dataset: ImageDataset) -> NDArray[Any]:
    steps, height, width = dataset.splits["test"].strip
    wanted = (height, steps * width)
    if array.ndim == 3 and array.shape[1:] == wanted and not len(array):
        raise BadData(f"{path} holds no image: its shape is {array.shape}")
    if array.ndim not in (2, 3) or array.shape[-2:] != wanted:
        side = f" ({dataset.blocks} side by side)" if dataset.blocks > 1 else ""
        raise BadData(
            f"{path}: expected an image of {height} × {steps * width} pixels{side}, as in {dataset.name}, "
            f"or several, (number, {height}, {steps * width}), but got shape {array.shape}"
        )
    return array if array.ndim == 3 else array[None]


def _white(path: Path, images: NDArray[Any], top: int) -> int:
    """What is white in these images."""
    if not np.isfinite(images).all():
        place = int((~np.isfinite(images)).any((1, 2)).argmax())
        raise BadData(f"{path}: expected finite numbers, but image {place} has a NaN or an infinity")
    low, high = float(images.min()), float(images.max())
    whole = images.dtype.kind in "iu" or (high > 1 and bool((images == np.rint(images)).all()))
    if not whole and low >= -ROUNDING and high <= 1 + ROUNDING:
        return 1
    if whole and low >= 0 and high <= max(top, WHITE):
        return top if high <= top else WHITE
    raise BadData(
        f"{path}: expected numbers from 0 (background) to 1, or whole numbers from 0 to "
        f"{top if top == WHITE else f'{top} or {WHITE}'}, but they go from {low:g} to {high:g}"
    )
