"""Images cut column-wise into strips: a sequence that a recurrent network reads from left to right."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Int, Shaped, UInt8
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.files import write_tensors
from holdfast.core.records import Batch, Member
from holdfast.data.base import SPLITS, Dataset, Split, Task
from holdfast.data.saved import pack, saved

FORMAT = 1
KIND = "image"
OWN = ("images", "blocks", "classes")
MAYBE = ("majority", "fold", "published")


@dataclass(frozen=True, eq=False)
class ImageSplit(Split):
    """Examples of ``blocks`` images side by side, cut into ``steps`` strips; a byte of ``top`` is white.

    ``majority`` says which blocks show the class of the example (majority task only), ``fold`` which part
    of a cross-validation it is in, ``published`` whether it is of the published training part.

    >>> images = torch.arange(8, dtype=torch.uint8).reshape(1, 2, 4)
    >>> split = ImageSplit(images, torch.tensor([[0]]), torch.tensor([0]), steps=2, top=7)
    >>> split.batch(torch.tensor([0])).inputs.shape, split.ink(torch.tensor([0]))
    (torch.Size([1, 2, 2, 2]), tensor([[1.4286, 2.5714]]))
    """

    images: UInt8[Tensor, "I H W"]
    blocks: Int[Tensor, "N K"]
    classes: Int[Tensor, "N"]
    steps: int
    top: int = 255
    majority: Bool[Tensor, "N K"] | None = None
    fold: Int[Tensor, "N"] | None = None
    published: Bool[Tensor, "N"] | None = None

    def __post_init__(self) -> None:
        width = self.blocks.shape[1] * self.images.shape[2]
        if self.steps < 1 or width % self.steps:
            raise BadSetting(f"expected steps to divide the width of {width} pixels, but got {self.steps}")

    @property
    def padded(self) -> bool:
        """All images have as many strips."""
        return False

    @property
    def strip(self) -> tuple[int, int, int]:
        """(steps, height, width) of the strips."""
        _, height, width = self.images.shape
        return self.steps, height, self.blocks.shape[1] * width // self.steps

    @property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many strips each example has: always the same."""
        return torch.full((len(self.classes),), self.steps)

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """The class of each example."""
        return self.classes

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """The examples ``rows`` in [−1, 1]; beyond the last strip there are only holes."""
        if length is not None and length < self.steps:
            raise ValueError(f"expected a length of at least {self.steps}, but got {length}")
        inputs = self._bytes(rows).float().mul_(2 / self.top).sub_(1)
        mask = torch.ones(inputs.shape[:2], dtype=torch.bool)
        inputs, mask = _longer(inputs, length), _longer(mask, length)
        return Batch(inputs, mask, self.classes[rows], torch.ones(len(rows)), rows)

    def scored(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B P"]:
        """Every pixel exists."""
        steps, height, width = self.strip
        return torch.ones(len(rows), steps * height * width, dtype=torch.bool)

    def truth(self, rows: Int[Tensor, "B"], length: int | None = None) -> Float[Tensor, "B P"] | None:
        """1 on the pixels of the majority's blocks, else 0; ``None`` where an example is one image."""
        if self.majority is None:
            return None
        _, height, width = self.images.shape
        columns = self.majority[rows].float().repeat_interleave(width, 1)
        marks = to_strips(columns[:, None].expand(-1, height, -1), self.steps)
        return _longer(marks, length).flatten(1)

    def trains(self, member: Member) -> Int[Tensor, "n"] | None:
        """The rows a member trains on: every fold but its own, or the published training part; as many of
        them as both ways have, so that seeds and folds can be one family."""
        if self.fold is None or self.published is None:
            _refuse_fold(member)
            return None
        size = min(int(self.published.sum()), int((self.fold != 0).sum()))
        mask = self.published if member.fold is None else ~self._in_fold(member)
        rows = mask.nonzero()[:, 0]
        # evenly: parts lie one after another
        return rows[torch.linspace(0, len(rows) - 1, size).round().long()]

    def held(self, member: Member) -> Int[Tensor, "n"] | None:
        """The rows of this split that a member never saw: its own fold, or the published test part."""
        if self.fold is None or self.published is None:
            _refuse_fold(member)
            return None
        return (~self.published if member.fold is None else self._in_fold(member)).nonzero()[:, 0]

    def ink(self, rows: Int[Tensor, "B"]) -> Float[Tensor, "B T"]:
        """How much is drawn on each strip: intensities from 0 to 1, added up."""
        return self._bytes(rows).float().div_(self.top).sum((2, 3))

    def _bytes(self, rows: Int[Tensor, "B"]) -> UInt8[Tensor, "B T H w"]:
        images = self.images[self.blocks[rows]]  # (B, K, H, W)
        return to_strips(images.transpose(1, 2).flatten(2), self.steps).contiguous()

    def _in_fold(self, member: Member) -> Bool[Tensor, "N"]:
        assert self.fold is not None
        inside = self.fold.eq(-1 if member.fold is None else member.fold)
        if not bool(inside.any()):
            raise BadSetting(f"{member}: expected a fold from 0 to {int(self.fold.max())}")
        return inside


@dataclass(frozen=True, eq=False)
class ImageDataset(Dataset):
    """Train, validation and test strips; ``notes`` are sentences that a reader of results must know."""

    name: str
    task: Task
    splits: Mapping[str, ImageSplit]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        classes: tuple[str, ...],
        splits: Mapping[str, ImageSplit],
        notes: tuple[str, ...] = (),
    ) -> "ImageDataset":
        """The data set of these splits."""
        return cls(name, Task(0, classes, strip=splits["train"].strip), splits, notes)

    @property
    def folds(self) -> int:
        """How many folds there are; 0 without a cross-validation."""
        fold = self.splits["train"].fold
        return 0 if fold is None else int(fold.max()) + 1

    @property
    def blocks(self) -> int:
        """How many images stand side by side."""
        return self.splits["test"].blocks.shape[1]

    def image(self, flat: Shaped[Tensor, "*A P"]) -> Shaped[Tensor, "*A H W"]:
        """One number per pixel, in the order of the strips, as an image again."""
        return from_strips(self._cut(flat))

    def images(self, split: str, rows: Int[Tensor, "B"]) -> Float[Tensor, "B H W"]:
        """The images themselves, in [0, 1], for drawing."""
        return self.image((self.splits[split].batch(rows).inputs.flatten(1) + 1) / 2)

    def time(self, flat: Float[Tensor, "*A P"]) -> Float[Tensor, "*A T"]:
        """One number per pixel, added up within each step."""
        return self._cut(flat).sum((-2, -1))

    def block_sums(self, flat: Float[Tensor, "*A P"]) -> Float[Tensor, "*A K"]:
        """One number per pixel, added up within each block."""
        columns = self.image(flat).sum(-2)
        return columns.reshape(*columns.shape[:-1], self.blocks, -1).sum(-1)

    def numbers(self, batch: Batch) -> Bool[Tensor, "B T"]:
        """All strips."""
        return batch.mask

    def save(self, path: Path) -> str:
        """Write everything to one safetensors file; returns its SHA-256."""
        about: dict[str, Any] = {
            "kind": KIND,
            "format": FORMAT,
            "name": self.name,
            "classes": self.task.classes,
            "notes": self.notes,
            "steps": self.splits["train"].steps,
            "top": {name: split.top for name, split in self.splits.items()},
        }
        tensors = {"about": pack(json.dumps(about))}
        for name, split in self.splits.items():
            columns = {field: getattr(split, field) for field in (*OWN, *MAYBE)}
            tensors |= {f"{name}.{field}": t.clone() for field, t in columns.items() if t is not None}
        return write_tensors(path, tensors)

    @classmethod
    def load(cls, path: Path) -> "ImageDataset":
        """Read back what :meth:`save` wrote."""
        with saved(path, FORMAT) as (about, tensors):
            splits = {name: _split_of(tensors, name, about) for name in SPLITS}
            return cls.of(about["name"], tuple(about["classes"]), splits, tuple(about["notes"]))

    def _cut(self, flat: Shaped[Tensor, "*A P"]) -> Shaped[Tensor, "*A T H w"]:
        return flat.reshape(*flat.shape[:-1], *self.splits["train"].strip)


def to_strips(images: Shaped[Tensor, "*A H W"], steps: int) -> Shaped[Tensor, "*A T H w"]:
    """Cut images column-wise.

    >>> to_strips(torch.tensor([[1, 2, 3, 4]]), 2).tolist()
    [[[1, 2]], [[3, 4]]]
    """
    return images.reshape(*images.shape[:-1], steps, -1).movedim(-2, -3)


def from_strips(strips: Shaped[Tensor, "*A T H w"]) -> Shaped[Tensor, "*A H W"]:
    """Put strips side by side: the inverse of :func:`to_strips`."""
    return strips.movedim(-3, -2).flatten(-2)


def _longer(strips: Shaped[Tensor, "B T *S"], length: int | None) -> Shaped[Tensor, "B T2 *S"]:
    if length is None or length == strips.shape[1]:
        return strips
    return torch.cat([strips, strips.new_zeros(len(strips), length - strips.shape[1], *strips.shape[2:])], 1)


def _split_of(tensors: Mapping[str, Tensor], name: str, about: Mapping[str, Any]) -> ImageSplit:
    columns = {field: tensors[f"{name}.{field}"] for field in OWN}
    majority, fold, published = (tensors.get(f"{name}.{field}") for field in MAYBE)
    top = about["top"][name]
    return ImageSplit(
        **columns, steps=about["steps"], top=top, majority=majority, fold=fold, published=published
    )


def _refuse_fold(member: Member) -> None:
    if member.fold is not None:
        raise BadSetting(f"{member}: expected data with folds, but these have none: set folds=7")
