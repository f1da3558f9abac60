"""Aggressive stochastic weight averaging."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.data.base import Task
from holdfast.train.repair import Repair, Tensors


@dataclass(frozen=True)
class Aswa(Repair):
    """Average the weights from the first step, every step, and restart each epoch from the average.

    ``W_avg ← W_avg + (W − W_avg) / (e·n + i + 1)`` before the optimiser's step (e epochs done, n steps an
    epoch, i = 1…n); at the end of each epoch the weights *become* the average, which keeps running; the
    optimiser's state is kept. Jain §4.4, Algorithm 1.

    >>> import torch
    >>> repair, weights = Aswa(), {"w": torch.tensor([1.0])}
    >>> memory = repair.begin(weights, Task(0, ("no", "yes")))
    >>> repair.step({"w": torch.tensor([3.0])}, memory, torch.tensor(1))
    ({'w': tensor([3.])}, {'w': tensor([2.])})
    """

    averages: ClassVar[bool] = True

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """The average starts at the initial weights."""
        return {name: tensor.detach().clone() for name, tensor in parameters.items()}

    def step(self, parameters: Tensors, memory: Tensors, t: Int[Tensor, ""]) -> tuple[Tensors, Tensors]:
        """One more point enters the average."""
        return parameters, {name: average(memory[name], tensor, t) for name, tensor in parameters.items()}

    def turn(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> tuple[Tensors, Tensors]:
        """The weights become the average."""
        return dict(memory), memory


def average(mean: Tensor, point: Tensor, t: Int[Tensor, ""]) -> Tensor:
    """``mean + (point − mean) / (t + 1)``."""
    return torch.lerp(mean, point, 1.0 / (t + 1).to(mean.dtype))
