"""Scikit-learn's handwritten digits as strips: always there, nothing to download."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import torch

from holdfast.data.divide import sample
from holdfast.data.images import Images, Pool
from holdfast.data.sets.strips import StripSet

CLASSES = tuple(map(str, range(10)))
TEST, TOP = 600, 16


@dataclass(frozen=True)
class Digits(StripSet):
    """1,797 digits of 8 × 8 pixels (Alpaydin & Kaynak 1998), each cut into strips: T = 1, 2 or 4."""

    name: ClassVar[str] = "digits"
    about: ClassVar[str] = "handwritten digits of 8 × 8 pixels, cut into strips: 1,000 / 197 / 600"
    comes: ClassVar[str] = "it comes with scikit-learn"
    width: ClassVar[int] = 8
    validation: ClassVar[int] = 197
    common: ClassVar[int] = 200

    def pool(self, files: Mapping[str, Path]) -> Pool:
        """The digits; ``files`` is empty."""
        return digits_pool(self.seed)


@dataclass(frozen=True)
class DigitsMaj(StripSet):
    """Three digits side by side, two of one class: which? The truth is known per block (Chormai §4.3)."""

    name: ClassVar[str] = "digits-maj"
    about: ClassVar[str] = "three 8 × 8 digits side by side, which class has two: 1,000 / 197 / 600"
    comes: ClassVar[str] = "it comes with scikit-learn"
    width: ClassVar[int] = 8
    blocks: ClassVar[int] = 3
    validation: ClassVar[int] = 197
    common: ClassVar[int] = 200

    steps: int = 12

    def pool(self, files: Mapping[str, Path]) -> Pool:
        """The digits; ``files`` is empty."""
        return digits_pool(self.seed)


def digits_pool(seed: int) -> Pool:
    """The digits with 600 of them as test images."""
    images = _images()
    test = sample(images.labels.tolist(), TEST, f"digits/{seed}/test")
    note = "The digits have no published splits: seeded, stratified ones are used."
    return Pool("digits", CLASSES, images.without(test), images.take(test), (note,))


@cache
def _images() -> Images:
    from sklearn.datasets import load_digits

    found = load_digits()
    return Images(torch.from_numpy(found.images).to(torch.uint8), torch.from_numpy(found.target).long(), TOP)
