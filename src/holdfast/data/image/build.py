"""From labelled images to strips: splits, folds, and rows of three for the majority task."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Int, UInt8
from torch import Tensor

from holdfast.core.draws import uniform
from holdfast.core.errors import BadSetting
from holdfast.data.divide import sample, stratified_folds
from holdfast.data.image.dataset import ImageDataset, ImageSplit

MAJORITY = 3


@dataclass(frozen=True, eq=False)
class Images:
    """Grey images with a class each; ``published`` marks those of the published training part."""

    pixels: UInt8[Tensor, "N H W"]
    labels: Int[Tensor, "N"]
    top: int = 255
    published: Bool[Tensor, "N"] | None = None
    fold: Int[Tensor, "N"] | None = None

    def take(self, rows: Sequence[int] | Int[Tensor, "n"]) -> "Images":
        """Some of them."""
        index = torch.as_tensor(rows, dtype=torch.long)
        published = None if self.published is None else self.published[index]
        fold = None if self.fold is None else self.fold[index]
        return Images(self.pixels[index], self.labels[index], self.top, published, fold)

    def without(self, rows: Sequence[int]) -> "Images":
        """All the others."""
        kept = torch.ones(len(self), dtype=torch.bool)
        kept[torch.tensor(rows, dtype=torch.long)] = False
        return self.take(kept.nonzero()[:, 0])

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Cut:
    """How images become examples: ``blocks`` side by side, ``steps`` strips; the sizes of what is set aside.

    ``common`` is how many test images no member of a cross-validation trains on; ``limit`` caps the training
    images.
    """

    steps: int = 4
    blocks: int = 1
    folds: int = 0
    seed: int = 0
    limit: int | None = None
    validation: int = 1000
    common: int = 2000


@dataclass(frozen=True, eq=False)
class Pool:
    """What a set gives: its name, its classes, the published parts, and sentences about them."""

    name: str
    classes: tuple[str, ...]
    train: Images
    test: Images
    notes: tuple[str, ...] = ()


def check_steps(steps: int, width: int, where: str) -> None:
    """A sentence for a number of strips that cannot be cut.

    >>> check_steps(4, 28, "mnist")
    """
    if steps < 1 or width % steps:
        fit = ", ".join(str(n) for n in range(1, width + 1) if width % n == 0)
        raise BadSetting(
            f"{where}: expected steps to divide the width of {width} pixels ({fit}), but got {steps}"
        )


def image_dataset(name: str, pool: Pool, cut: Cut) -> ImageDataset:
    """Take validation images from the training part, deal out folds, put images side by side, cut them.

    Everything is drawn by the pool's name and the seed, so the sequence task and the majority task of one
    set have the same images in each split.
    """
    seed = f"{pool.name}/{cut.seed}"
    held = sample(pool.train.labels.tolist(), cut.validation, f"{seed}/validation")
    validation, train, test = pool.train.take(held), pool.train.without(held), pool.test
    notes = list(pool.notes)
    if cut.folds:
        train, test = _pooled(train, test, cut, seed)
    if cut.limit is not None and cut.limit < len(train):
        notes.append(f"Only {cut.limit:,} of {len(train):,} training images are used (--limit).")
        train = train.take(sample(_layers(train), cut.limit, f"{seed}/limit"))
    if cut.folds:
        train = _folded(train, cut)
        notes.append(
            f"{len(train):,} images, of the published training and test parts, are dealt out to {cut.folds} "
            f"folds; all members are tested on the same {len(test):,} test images, which are in no fold."
        )
    parts = {"train": train, "validation": validation, "test": test}
    made = {part: split(images, cut, f"{seed}/{part}") for part, images in parts.items()}
    return ImageDataset.of(name, pool.classes, made, tuple(notes))


def split(images: Images, cut: Cut, seed: str) -> ImageSplit:
    """One row for every image: it alone, or between partners of the same fold and the same part."""
    if cut.blocks == 1:
        blocks, majority = torch.arange(len(images))[:, None], None
    else:
        blocks = torch.empty(len(images), MAJORITY, dtype=torch.long)
        for rows in _groups(images):
            blocks[rows] = rows[majority_rows(images.labels[rows], f"{seed}/{int(rows[0])}")]
        majority = images.labels[blocks] == images.labels[:, None]
    return ImageSplit(
        images.pixels, blocks, images.labels, cut.steps, images.top, majority, images.fold, images.published
    )


def majority_rows(labels: Int[Tensor, "N"], seed: str) -> Int[Tensor, "N 3"]:
    """For every image one other of its class and one of another, in random order (Chormai §4.3).

    >>> rows = majority_rows(torch.tensor([0, 0, 1, 1]), "example")
    >>> [sum(place < 2 for place in row) for row in rows.tolist()]
    [2, 2, 1, 1]
    """
    n, order, counts = len(labels), labels.argsort(stable=True), labels.bincount()
    if len(counts[counts > 0]) < 2 or int(counts[counts > 0].min()) < 2:
        raise BadSetting(
            "the majority task needs two images of every class in every split and fold: "
            "use more images or fewer folds"
        )
    first = (counts.cumsum(0) - counts)[labels]  # where the class begins in `order`
    size = counts[labels]
    place = torch.empty(n, dtype=torch.long)
    place[order] = torch.arange(n)
    draws = uniform((5, n), None, f"majority/{seed}").double()
    same = first + (place - first + 1 + (draws[0] * (size - 1)).long()) % size
    other = (draws[1] * (n - size)).long()
    other = torch.where(other < first, other, other + size)  # the others, past the class itself
    three = torch.stack([torch.arange(n), order[same], order[other]], 1)
    return three.gather(1, draws[2:].T.argsort(1))


def _pooled(train: Images, test: Images, cut: Cut, seed: str) -> tuple[Images, Images]:
    """Published training and test images together, less the common test images."""
    kept = sample(test.labels.tolist(), cut.common, f"{seed}/common")
    spare = test.without(kept)
    pixels = torch.cat([train.pixels, spare.pixels])
    published = torch.arange(len(pixels)) < len(train)
    return Images(pixels, torch.cat([train.labels, spare.labels]), train.top, published), test.take(kept)


def _folded(images: Images, cut: Cut) -> Images:
    """Folds of the same size: the few images that are left over are not used."""
    fold = stratified_folds(_layers(images), cut.folds, cut.seed)
    size = len(images) // cut.folds
    kept = torch.cat([(fold == k).nonzero()[:size, 0] for k in range(cut.folds)]).sort().values
    return replace(images, fold=fold).take(kept)


def _layers(images: Images) -> list[int]:
    """Class and part of each image as one number."""
    if images.published is None:
        return images.labels.tolist()
    return (images.labels * 2 + images.published).tolist()


def _groups(images: Images) -> list[Int[Tensor, "n"]]:
    """Rows that may be partners: of one fold, and of one published part."""
    key = torch.zeros(len(images), dtype=torch.long)
    if images.fold is not None and images.published is not None:
        key = images.fold * 2 + images.published
    return [(key == value).nonzero()[:, 0] for value in sorted(set(key.tolist()))]
