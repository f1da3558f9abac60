"""A loss that counts all classes alike, however rare."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.run import Run
from holdfast.train.repair import Repair, Tensors

WEIGHTS = "weights"


@dataclass(frozen=True)
class ClassBalanced(Repair):
    """Weigh each example's loss by ``N / (C · N_class)``, so that every class has the same share of the loss
    (King & Zeng 2001; Jain §3.3.3).

    For two classes that is ``N / (2 N_class)``. The counts are those of what a member trains on; the weights
    average 1 over it, so that the learning rate means what it did.

    >>> repair = ClassBalanced()
    >>> repair.begin({"w": torch.zeros(1)}, Task(0, ("no", "yes"), counts=(30, 10)))
    {'weights': tensor([0.6667, 2.0000])}
    """

    balances: ClassVar[bool] = True

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """The weight of each class."""
        if not task.counts:
            raise BadSetting(
                "class_balanced: expected classes with known counts, but these data have none: leave it out"
            )
        first = next(iter(parameters.values()))
        counts = torch.tensor(task.counts, dtype=first.dtype, device=first.device)
        return {
            WEIGHTS: counts.sum() / (len(counts) * counts.clamp(min=1))
        }  # a class without any has no loss

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """The model's losses with these weights."""
        return run.losses(batch, Edit(noise=noise), memory[WEIGHTS])
