"""A split some of whose examples are perturbed: made once, in a file that every process reads."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.errors import BadRun
from holdfast.core.files import read_tensors, write_tensors
from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Split


def _stays(batch: Batch) -> None:
    """No shift."""


@dataclass(frozen=True, eq=False)
class PerturbedSplit(Split):
    """Another split's examples ``rows`` (in ascending order), changed; only these can be batched.

    Everything is as wide as scores are; ``place`` and ``touched`` are as in
    :class:`holdfast.data.perturb.base.Perturbed`. Lengths are those of the original, so that a row is
    explained in a batch of the same shape. ``shift`` says how far the embedded input of originals moves: it
    depends on what the model makes of a position, so that it is in no file.
    """

    base: Split
    rows: Int[Tensor, "K"]
    inputs: Tensor
    mask: Bool[Tensor, "K T"]
    place: Int[Tensor, "K T"]
    touched: Bool[Tensor, "K T"]
    shift: Callable[[Batch], Float[Tensor, "B T D"] | None] = _stays

    @classmethod
    def of(
        cls, text: str, dataset: Dataset, split: Split, rows: Int[Tensor, "K"], data_dir: Path | None = None
    ) -> "PerturbedSplit":
        """The examples of a split, changed by the perturbation that is written so."""
        length = None if split.batch(rows[:1]).pixels else split.scored(rows).shape[1]
        changed = make("perturbations", text).perturb(split.batch(rows, length), dataset, data_dir)
        return cls(split, rows, changed.batch.inputs, changed.batch.mask, changed.place, changed.touched)

    @classmethod
    def read(cls, path: Path, base: Split) -> "PerturbedSplit":
        """Back from :meth:`write`."""
        tensors: dict[str, Any] = dict(read_tensors(path))
        try:
            return cls(base, *(tensors[name] for name in ("rows", "inputs", "mask", "place", "touched")))
        except KeyError as error:
            raise BadRun(
                f"{path} does not hold perturbed examples: run its command again to repair it"
            ) from error

    def write(self, path: Path) -> str:
        """Write what differs from the original; returns the file's SHA-256."""
        tensors = {"rows": self.rows, "inputs": self.inputs, "mask": self.mask}
        return write_tensors(path, tensors | {"place": self.place, "touched": self.touched})

    @property
    def padded(self) -> bool:
        """As the original."""
        return self.base.padded

    @property
    def widest(self) -> int | None:
        """As the original."""
        return self.base.widest

    @property
    def lengths(self) -> Int[Tensor, "N"]:
        """As the original: what is dropped leaves a hole."""
        return self.base.lengths

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """As the original."""
        return self.base.targets

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """The changed examples, padded as the original pads them."""
        batch, at = self.base.batch(rows, length), self._at(rows)
        inputs, mask = self.inputs[at], self.mask[at]
        if not batch.pixels:
            width = batch.mask.shape[1]
            inputs, mask = self.fitted(inputs, width), self.fitted(mask, width)
        return replace(batch, inputs=inputs, mask=mask, shift=self.shift(batch))

    def scored(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B P"]:
        """Without what was dropped."""
        there = self.base.scored(rows)
        if self._of_pixels:
            return there
        return self.fitted(self.mask[self._at(rows)], there.shape[1])

    def excluded(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B C"] | None:
        """As the original."""
        return self.base.excluded(rows)

    def laid_over(self, scores: Float[Tensor, "M K T"]) -> tuple[Float[Tensor, "M K T"], Bool[Tensor, "K T"]]:
        """Scores of all these rows where the original has its positions, and which of them both have."""
        if self._of_pixels:
            return scores, self.base.scored(self.rows)
        common = self.place >= 0
        moved = scores.gather(-1, self.place.clamp(min=0).to(scores.device).expand_as(scores))
        return torch.where(common.to(scores.device), moved, 0.0), common

    @property
    def _of_pixels(self) -> bool:
        """Whether a position has many scores: noise leaves all of them where they are."""
        return bool(self.base.batch(self.rows[:1]).pixels)

    def _at(self, rows: Int[Tensor, "B"]) -> Int[Tensor, "B"]:
        at = torch.searchsorted(self.rows, rows.contiguous()).clamp(max=len(self.rows) - 1)
        if not torch.equal(self.rows[at], rows):
            raise BadRun("expected rows that were perturbed, but got others: run the command again")
        return at
