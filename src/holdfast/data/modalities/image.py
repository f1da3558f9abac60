"""Images cut into strips: from a ``.npz`` file, or a named set."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from holdfast.data.base import Dataset
from holdfast.data.heard import Heard, silent
from holdfast.data.image.dataset import ImageDataset
from holdfast.data.image.file import ENDING, check_images, read_images
from holdfast.data.image.sets.base import ImageSet
from holdfast.data.modality import Modality, Options, bounded
from holdfast.data.named_set import NamedSet


@dataclass(frozen=True)
class ImageOptions(Options):
    """``steps`` is how many strips the images of a file are cut into; ``limit`` caps those to train on."""

    limit: int | None = None
    steps: int | None = None


class Image(Modality[ImageOptions]):
    """A ``.npz`` file holds images, whatever else is said of it."""

    options: ClassVar[type[Options]] = ImageOptions
    called: ClassVar[str] = "an image"
    many: ClassVar[str] = "images"
    dataset: ClassVar[type[Dataset]] = ImageDataset
    endings: ClassVar[tuple[str, ...]] = (ENDING,)
    settings: ClassVar[tuple[str, ...]] = ("steps",)
    others: ClassVar[Mapping[str, str]] = {"steps": "cuts images into strips"}

    def check(self, source: ImageOptions) -> None:
        """At least one strip."""
        bounded("limit", source.limit, 2)
        bounded("steps", source.steps, 1)

    def claims(self, source: ImageOptions) -> bool:
        """By its ending."""
        return Path(source.data).suffix == ENDING

    def check_file(self, path: Path) -> None:
        """Refuse what cannot be read at all."""
        check_images(path)

    def read(self, path: Path, source: ImageOptions, data_dir: Path | None, heard: Heard = silent) -> Dataset:
        """Read, split and cut the images."""
        return read_images(path, path.name.split(".")[0], source.steps, source.limit)

    def named(self, known: NamedSet, source: ImageOptions) -> NamedSet:
        """The set with the source's limit."""
        assert isinstance(known, ImageSet)
        return known if source.limit is None else replace(known, limit=source.limit)

    def load(
        self, known: NamedSet, source: ImageOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read and cut the images."""
        assert isinstance(known, ImageSet)
        return known.corpus(known.locate(data_dir))
