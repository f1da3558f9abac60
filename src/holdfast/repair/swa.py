"""Stochastic weight averaging."""

import math
from dataclasses import dataclass
from typing import ClassVar

import torch

from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.train.repair import Repair, Tensors


@dataclass(frozen=True)
class Swa(Repair):
    """Average the weights at the end of each of the last epochs, which have a learning rate of their own.

    ``W_swa = (w₁ + … + w_k) / k`` over the ends of the epochs after ``start`` (a fraction of all); training
    itself goes on from the unaveraged weights. All epochs run: early stopping would cut the average short.
    Izmailov et al. 2018; Jain §4.3.
    """

    stops: ClassVar[bool] = False
    averages: ClassVar[bool] = True

    start: float = 0.75
    factor: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.start < 1:
            raise BadSetting(f"swa: expected start in [0, 1), but got {self.start}")
        if not 0 < self.factor < math.inf:
            raise BadSetting(f"swa: expected factor above 0 and finite, but got {self.factor}")

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """An empty average."""
        memory = {name: torch.zeros_like(tensor.detach()) for name, tensor in parameters.items()}
        return memory | {"points": torch.zeros((), dtype=torch.long, device=_device(parameters))}

    def turn(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> tuple[Tensors, Tensors]:
        """After a late epoch the weights enter the average."""
        if not self._late(epoch, epochs):
            return parameters, memory
        points = memory["points"] + 1
        after = {name: memory[name] + (tensor - memory[name]) / points for name, tensor in parameters.items()}
        return parameters, after | {"points": points}

    def outcome(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> Tensors:
        """The average once it has begun."""
        if not self._late(epoch, epochs):
            return parameters
        return {name: memory[name] for name in parameters}

    def rate(self, epoch: int, epochs: int) -> float:
        """``factor`` once averaging has begun."""
        return self.factor if self._late(epoch, epochs) else 1.0

    def _late(self, epoch: int, epochs: int) -> bool:
        return epoch > self.start * epochs


def _device(parameters: Tensors) -> torch.device:
    return next(iter(parameters.values())).device
