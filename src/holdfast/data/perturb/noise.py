"""Noise on pixels and columns of numbers, and on the vectors of words and items."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.draws import generator
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed, Room

USUAL, OF_EACH = 0.1, 0.01  # the second of each number of a vector: of a hundred that is 0.06 together


@dataclass(frozen=True)
class Noise(Perturbation):
    """Random noise on the pixels of an image, the numbers of a table, or on the vectors of a text's words or
    a history's items.

    ``norm`` linf: every number moves by a uniform one within ``radius``; l2: the whole example moves by
    ``radius`` in a random direction, ``x + radius · g/‖g‖₂``. Pixels lie between −1 and 1, and what would
    leave that stays at its end. Columns of numbers count in standard deviations of the training rows;
    categories stay. Vectors move where a model looks them up; the words stay what they are, and
    so do the second text of a pair and the items that are scored. The radius is 0.1 by default, and 0.01 for
    vectors under linf.

    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("digits"))
    >>> batch = data.splits["test"].batch(torch.arange(3))
    >>> moved = Noise(radius=0.1).perturb(batch, data).batch.inputs - batch.inputs
    >>> bool((moved.abs() <= 0.1 + 1e-6).all())
    True
    """

    radius: float | None = None
    norm: Literal["linf", "l2"] = "linf"

    reads = ("image", "text", "interaction", "features")
    needs = "an input that noise can move"

    def __post_init__(self) -> None:
        if self.radius is not None and not 0 < self.radius < math.inf:
            raise BadSetting(f"noise: expected radius to be a number above 0, but got {self.radius}")
        if self.norm not in ("linf", "l2"):
            raise BadSetting(f"noise: expected norm to be linf or l2, but got {self.norm!r}")

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """Every example has its own noise; positions stay, and words and items too."""
        changed = Perturbed.none(batch)
        inputs, numbers = changed.batch.inputs, dataset.numbers(batch)
        for at, rng in _each(batch) if inputs.is_floating_point() else ():
            there = numbers[at]
            before = inputs[at][there]
            moved = before + self._drawn(torch.ones_like(before), rng, USUAL)
            inputs[at, there] = moved.clamp(-1.0, 1.0) if batch.pixels else moved
        touched = numbers if inputs.is_floating_point() else batch.mask
        return changed._replace(batch=replace(changed.batch, inputs=inputs), touched=touched.clone())

    def shift(self, batch: Batch, room: Room) -> Float[Tensor, "B T D"] | None:
        """The noise on the vectors of each example, whatever stands beside it; 0 where there is nothing."""
        if batch.inputs.is_floating_point():
            return None
        exists, usual = room(batch), OF_EACH if self.norm == "linf" else USUAL
        shift = torch.zeros(exists.shape)
        for at, rng in _each(batch):
            there = batch.mask[at]
            shift[at, there] = self._drawn(exists[at, there].float(), rng, usual)
        return shift

    def _drawn(self, exists: Tensor, rng: torch.Generator, usual: float) -> Tensor:
        """Noise where ``exists`` is 1, else 0."""
        radius = usual if self.radius is None else self.radius
        if self.norm == "linf":
            return (2 * torch.rand(exists.shape, generator=rng) - 1) * radius * exists
        direction = torch.randn(exists.shape, generator=rng) * exists
        return direction.mul(radius).div(direction.square().sum().sqrt())


def _each(batch: Batch) -> Iterator[tuple[int, torch.Generator]]:
    """Every example's place in the batch, and what its noise is drawn from: neighbours do not count."""
    assert batch.rows is not None
    for at, row in enumerate(batch.rows.tolist()):
        yield at, generator(None, "perturb noise", row)
