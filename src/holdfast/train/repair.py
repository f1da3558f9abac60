"""The contract of a repair: a change of training that should make explanations hold."""

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch, Edit
from holdfast.models.base import Run

Tensors = dict[str, Tensor]


class Repair(ABC):  # noqa: B024 - every method has a default: a plain subclass is `none`
    """Hooks of the training loop, written for one member in pure tensor operations (they are mapped).

    ``memory`` is the repair's own state; ``t`` counts all optimiser steps from 1, as a tensor. ``stops`` says
    that the best epoch counts and training may stop early; without it every epoch runs and the last counts.
    """

    stops: ClassVar[bool] = True

    def losses(self, run: Run, batch: Batch, noise: Tensors) -> Float[Tensor, "B"]:
        """The loss of each example."""
        return run.losses(batch, Edit(noise=noise))

    def begin(self, parameters: Tensors) -> Tensors:
        """The memory before the first step."""
        return {}

    def step(self, parameters: Tensors, memory: Tensors, t: Int[Tensor, ""]) -> Tensors:
        """The new memory, just *before* the optimiser's step ``t``."""
        return memory

    def turn(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> tuple[Tensors, Tensors]:
        """Parameters and memory after epoch ``epoch`` (from 1): what training goes on from."""
        return parameters, memory

    def outcome(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> Tensors:
        """The weights that count after this epoch: they are evaluated, and kept when they are the best."""
        return parameters

    def rate(self, epoch: int, epochs: int) -> float:
        """What the learning rate is multiplied by in epoch ``epoch`` (from 1)."""
        return 1.0


@dataclass(frozen=True)
class Nothing(Repair):
    """Training as it is: what every repair is held against."""

    name = "none"
