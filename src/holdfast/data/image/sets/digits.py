"""Scikit-learn's handwritten digits as strips: always there, nothing to download."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import torch

from holdfast.data.divide import sample
from holdfast.data.image.build import Images, Pool
from holdfast.data.image.sets.base import ImageSet

CLASSES = tuple(map(str, range(10)))
TEST, TOP = 600, 16


class Pixels:
    """What both tasks have in common."""

    comes: ClassVar[str] = "it comes with scikit-learn"
    width: ClassVar[int] = 8
    validation: ClassVar[int] = 197
    common: ClassVar[int] = 200
    seed: int

    def pool(self, files: Mapping[str, Path]) -> Pool:
        """The digits with 600 of them as test images; ``files`` is empty."""
        images = _images()
        test = sample(images.labels.tolist(), TEST, f"digits/{self.seed}/test")
        note = "The digits have no published splits: seeded, stratified ones are used."
        return Pool("digits", CLASSES, images.without(test), images.take(test), (note,))


@dataclass(frozen=True)
class Digits(Pixels, ImageSet):
    """1,797 digits of 8 × 8 pixels (Alpaydin & Kaynak 1998), each cut into strips: T = 1, 2 or 4."""

    name: ClassVar[str] = "digits"
    about: ClassVar[str] = "handwritten digits of 8 × 8 pixels, cut into strips: 1,000 / 197 / 600"


@dataclass(frozen=True)
class DigitsMaj(Pixels, ImageSet):
    """Three digits side by side, two of one class: which? The truth is known per block (Chormai §4.3)."""

    name: ClassVar[str] = "digits-maj"
    about: ClassVar[str] = "three 8 × 8 digits side by side, which class has two: 1,000 / 197 / 600"
    blocks: ClassVar[int] = 3

    steps: int = 12


@cache
def _images() -> Images:
    from sklearn.datasets import load_digits

    digits = load_digits()
    return Images(
        torch.from_numpy(digits.images).to(torch.uint8), torch.from_numpy(digits.target).long(), TOP
    )
