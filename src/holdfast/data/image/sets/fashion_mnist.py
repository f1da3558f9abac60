"""Fashion-MNIST as strips: one article of clothing, or three of which two are alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.image.build import Pool
from holdfast.data.image.idx import idx_files, idx_pool
from holdfast.data.image.sets.base import ImageSet

CLASSES = (
    "T-shirt/top",
    "Trouser",
    "Pullover",
    "Dress",
    "Coat",
    "Sandal",
    "Shirt",
    "Sneaker",
    "Bag",
    "Ankle boot",
)


class Pixels:
    """What both tasks have in common."""

    home: ClassVar[str] = "Fashion-MNIST (github.com/zalandoresearch/fashion-mnist), idx files"
    files: ClassVar[Mapping[str, tuple[str, ...]]] = idx_files("fashion-mnist")
    width: ClassVar[int] = 28

    def pool(self, files: Mapping[str, Path]) -> Pool:
        """Read the published images."""
        return idx_pool("fashion-mnist", CLASSES, files)


@dataclass(frozen=True)
class FashionMnist(Pixels, ImageSet):
    """Xiao et al. 2017, 28 × 28 pixels, each article cut into strips (Chormai §4.2: T = 1, 4, 7)."""

    name: ClassVar[str] = "fashion-mnist"
    about: ClassVar[str] = "articles of clothing of 28 × 28 pixels, cut into strips: 59,000 / 1,000 / 10,000"


@dataclass(frozen=True)
class FashionMaj(Pixels, ImageSet):
    """Three articles side by side, two of one class: which? The truth is known per block (Chormai §4.3)."""

    name: ClassVar[str] = "fashion-maj"
    about: ClassVar[str] = (
        "three Fashion-MNIST articles side by side, which class has two: 59,000 / 1,000 / 10,000"
    )
    blocks: ClassVar[int] = 3

    steps: int = 12
