"""Noise on pixels."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import torch

from holdfast.core.draws import generator
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed


@dataclass(frozen=True)
class Noise(Perturbation):
    """Random noise on the pixels of an image, which lie between −1 and 1.

    ``norm`` linf: every pixel moves by a uniform number within ``radius``; l2: the whole image moves by
    ``radius`` in a random direction, ``x + radius · g/‖g‖₂``. What would leave [−1, 1] stays at its end.

    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("digits"))
    >>> batch = data.splits["test"].batch(torch.arange(3))
    >>> moved = Noise(radius=0.1).perturb(batch, data).batch.inputs - batch.inputs
    >>> bool((moved.abs() <= 0.1 + 1e-6).all())
    True
    """

    radius: float = 0.1
    norm: Literal["linf", "l2"] = "linf"

    reads = ("image",)
    needs = "an image that noise can move"

    def __post_init__(self) -> None:
        if self.radius <= 0:
            raise BadSetting(f"noise: expected radius to be more than 0, but got {self.radius}")
        if self.norm not in ("linf", "l2"):
            raise BadSetting(f"noise: expected norm to be linf or l2, but got {self.norm!r}")

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """Every image has its own noise; positions stay."""
        assert batch.rows is not None
        changed = Perturbed.none(batch)
        inputs = changed.batch.inputs
        for at, row in enumerate(batch.rows.tolist()):
            there = batch.mask[at]
            rng = generator(None, "perturb noise", row)
            moved = inputs[at][there] + self._drawn(inputs[at][there].shape, rng)
            inputs[at, there] = moved.clamp(-1.0, 1.0)
        return changed._replace(batch=replace(changed.batch, inputs=inputs), touched=batch.mask.clone())

    def _drawn(self, shape: torch.Size, rng: torch.Generator) -> torch.Tensor:
        if self.norm == "linf":
            return (2 * torch.rand(shape, generator=rng) - 1) * self.radius
        direction = torch.randn(shape, generator=rng)
        return direction.mul(self.radius).div(direction.square().sum().sqrt())
