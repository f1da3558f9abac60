"""Norm-filtered aggressive stochastic weight averaging."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.data.base import Task
from holdfast.repair.aswa import average
from holdfast.train.repair import Repair, Tensors


@dataclass(frozen=True)
class Naswa(Repair):
    """ASWA that adds a step to the average only when the weights have moved further from it than usual.

    A point enters when ``‖W − W_avg‖₁`` exceeds the mean of the norms kept since the last one that entered
    (an empty list counts as mean 0); then the list restarts with this norm, else the norm is appended. The
    divisor counts all steps. Jain §4.4.1, Algorithm 2. With ``per="tensor"`` every parameter tensor has its
    own filter; the document does not say which it uses.

    >>> import torch
    >>> repair = Naswa()
    >>> memory = repair.begin({"w": torch.tensor([1.0])}, Task(0, ("no", "yes")))
    >>> _, memory = repair.step({"w": torch.tensor([3.0])}, memory, torch.tensor(1))
    >>> memory["average/w"], memory["total/"], memory["count/"]
    (tensor([2.]), tensor(2.), tensor(1.))
    """

    averages: ClassVar[bool] = True

    per: Literal["model", "tensor"] = "model"

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """The average starts at the initial weights, the lists are empty (kept as total and count)."""
        first = next(iter(parameters.values()))
        memory = {f"average/{name}": tensor.detach().clone() for name, tensor in parameters.items()}
        for name in parameters if self.per == "tensor" else [""]:
            memory[f"total/{name}"] = torch.zeros((), dtype=first.dtype, device=first.device)
            memory[f"count/{name}"] = torch.zeros((), dtype=first.dtype, device=first.device)
        return memory

    def step(self, parameters: Tensors, memory: Tensors, t: Int[Tensor, ""]) -> tuple[Tensors, Tensors]:
        """Filter, then average."""
        norms = {
            name: (tensor - memory[f"average/{name}"]).abs().sum() for name, tensor in parameters.items()
        }
        if self.per == "model":
            norms = {"": torch.stack(list(norms.values())).sum()}
        after: Tensors = {}
        enters: dict[str, Bool[Tensor, ""]] = {}
        for name, norm in norms.items():
            total, count = memory[f"total/{name}"], memory[f"count/{name}"]
            enters[name] = norm > _mean(total, count)
            after[f"total/{name}"] = torch.where(enters[name], norm, total + norm)
            after[f"count/{name}"] = torch.where(enters[name], torch.ones_like(count), count + 1)
        for name, tensor in parameters.items():
            old = memory[f"average/{name}"]
            entered = enters[name if self.per == "tensor" else ""]
            after[f"average/{name}"] = torch.where(entered, average(old, tensor, t), old)
        return parameters, after

    def turn(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> tuple[Tensors, Tensors]:
        """The weights become the average; the lists are kept."""
        return {name: memory[f"average/{name}"] for name in parameters}, memory


def _mean(total: Float[Tensor, ""], count: Float[Tensor, ""]) -> Float[Tensor, ""]:
    return total / count.clamp(min=1)
