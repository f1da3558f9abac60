"""What the named sets of images share: their settings, and how they are cut."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from holdfast.core.errors import BadSetting
from holdfast.core.settings import at_most, label
from holdfast.data.base import Kind
from holdfast.data.image.build import Cut, Pool, check_steps, image_dataset
from holdfast.data.image.dataset import ImageDataset
from holdfast.data.named_set import NamedSet


@dataclass(frozen=True)
class ImageSet(NamedSet):
    """Images cut into ``steps`` strips; with ``folds``, members may be the folds of a cross-validation.

    ``seed`` decides what is drawn (splits, folds, partners), ``limit`` caps the training images; ``width`` is
    that of one image, of which ``blocks`` stand side by side; ``validation`` and ``common`` are how many are
    set aside (see :class:`Cut`).
    """

    modality: ClassVar[Kind] = "image"
    width: ClassVar[int]
    blocks: ClassVar[int] = 1
    validation: ClassVar[int] = 1000
    common: ClassVar[int] = 2000

    steps: int = 4
    folds: int = 0
    seed: int = 0
    limit: int | None = None

    def __post_init__(self) -> None:
        check_steps(self.steps, self.blocks * self.width, self.name)
        if self.folds < 0 or self.folds == 1:
            raise BadSetting(f"{self.name}: expected folds to be 0 (none) or 2 or more, but got {self.folds}")
        at_most(f"{self.name}: expected folds", self.folds, 1000)
        if self.limit is not None and self.limit < 20:
            raise BadSetting(
                f"{self.name}: expected limit to be at least 20 (two of each class), but got {self.limit}"
            )

    @abstractmethod
    def pool(self, files: Mapping[str, Path]) -> Pool:
        """Read the published images."""

    @property
    def label(self) -> str:
        """The name with the settings that make other examples of the same images; folds only deal them out.

        >>> from holdfast.data.image.sets.digits import Digits
        >>> Digits(folds=3).label, Digits(steps=2, limit=60).label
        ('digits', 'digits:steps=2,limit=60')
        """
        return label(replace(self, folds=0))

    def corpus(self, files: Mapping[str, Path]) -> ImageDataset:
        """Read the images and cut them."""
        cut = Cut(self.steps, self.blocks, self.folds, self.seed, self.limit, self.validation, self.common)
        return image_dataset(self.label, self.pool(files), cut)
