"""MNIST as strips: one digit, or three of which two are alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.image.build import Pool
from holdfast.data.image.idx import idx_files, idx_pool
from holdfast.data.image.sets.base import ImageSet


class Pixels:
    """What both tasks have in common."""

    home: ClassVar[str] = "MNIST (yann.lecun.com/exdb/mnist), idx files"
    files: ClassVar[Mapping[str, tuple[str, ...]]] = idx_files("mnist")
    width: ClassVar[int] = 28

    def pool(self, files: Mapping[str, Path]) -> Pool:
        """Read the published images."""
        return idx_pool("mnist", tuple(map(str, range(10))), files)


@dataclass(frozen=True)
class Mnist(Pixels, ImageSet):
    """LeCun et al. 1998, 28 × 28 pixels, each digit cut into strips (Chormai §4.2: T = 1, 4, 7)."""

    name: ClassVar[str] = "mnist"
    about: ClassVar[str] = "handwritten digits of 28 × 28 pixels, cut into strips: 59,000 / 1,000 / 10,000"


@dataclass(frozen=True)
class MnistMaj(Pixels, ImageSet):
    """Three digits side by side, two of one class: which? The truth is known per block (Chormai §4.3)."""

    name: ClassVar[str] = "mnist-maj"
    about: ClassVar[str] = "three MNIST digits side by side, which class has two: 59,000 / 1,000 / 10,000"
    blocks: ClassVar[int] = 3

    steps: int = 12
