"""Members that take their optimiser steps together: one by itself, or many stacked on a leading axis."""

from typing import Any

import torch
from torch import Tensor
from torch.func import vmap

from holdfast.core.records import Batch
from holdfast.models.base import Model
from holdfast.train.objective import objective
from holdfast.train.optimise import Optimiser, groups_of, set_rate
from holdfast.train.repair import Repair, Tensors


class Chunk:
    """Parameters, optimiser state and the repair's memory of some members.

    The loss is summed over members, never averaged, and nothing crosses them, so a member's path is the same
    alone or stacked.
    """

    def __init__(
        self,
        model: Model,
        parameters: Tensors,
        optimiser: Optimiser,
        repair: Repair,
        stacked: bool,
        decay_embeddings: bool = False,
    ) -> None:
        self.model, self.repair, self.stacked = model, repair, stacked
        self.parameters = {name: t.detach().clone().requires_grad_() for name, t in parameters.items()}
        self.lr = optimiser.lr
        self.optimizer = optimiser.over(groups_of(self.parameters, optimiser, decay_embeddings))
        begun: Tensors = self._mapped(repair.begin, self.values())
        self.memory = {name: tensor.clone() for name, tensor in begun.items()}  # nothing shared
        self.t = torch.zeros((), dtype=torch.long, device=next(iter(self.parameters.values())).device)

    def values(self) -> Tensors:
        """The parameters without their graph."""
        return {name: tensor.detach() for name, tensor in self.parameters.items()}

    def step(self, batch: Batch, noise: Tensors) -> Tensor:
        """One optimiser step of every member; returns the loss, summed over members."""
        loss = self._loss(batch, noise)
        gradients = torch.autograd.grad(loss, list(self.parameters.values()))
        self.t += 1
        if self.memory:
            self._keep(self._mapped(self.repair.step, self.values(), self.memory, self.t))
        for tensor, gradient in zip(self.parameters.values(), gradients, strict=True):
            tensor.grad = gradient.contiguous()  # fused optimisers read memory in order, whatever the strides
        self.optimizer.step()
        return loss.detach()

    def turn(self, epoch: int, epochs: int) -> None:
        """The end of an epoch, as the repair wants it."""
        after, memory = self._mapped(self.repair.turn, self.values(), self.memory, epoch, epochs)
        self._keep(memory)
        with torch.no_grad():
            for name, tensor in self.parameters.items():
                if after[name] is not tensor:
                    tensor.copy_(after[name])

    def outcome(self, epoch: int, epochs: int) -> Tensors:
        """The weights that count after this epoch."""
        found: Tensors = self._mapped(self.repair.outcome, self.values(), self.memory, epoch, epochs)
        return found

    def rate(self, epoch: int, epochs: int) -> bool:
        """Set this epoch's learning rate; True if it is another one than before."""
        wanted = self.lr * self.repair.rate(epoch, epochs)
        changed = any(group["lr"] != wanted for group in self.optimizer.param_groups)
        set_rate(self.optimizer, wanted)
        return changed

    def state(self) -> Tensors:
        """Everything that training goes on from, by name (the tensors themselves, not copies)."""
        found = {f"parameters/{name}": tensor.detach() for name, tensor in self.parameters.items()}
        found |= {f"memory/{name}": tensor for name, tensor in self.memory.items()}
        for name, tensor in self.parameters.items():
            for key, value in self.optimizer.state[tensor].items():
                if isinstance(value, Tensor):
                    found[f"optimiser/{name}/{key}"] = value
        return found | {"t": self.t}

    @torch.no_grad()
    def restore(self, state: Tensors) -> None:
        """Go back to a state; optimiser state that it does not name is set to zero, as at the start."""
        for name, tensor in self.state().items():
            if name in state:
                tensor.copy_(state[name])
            else:
                tensor.zero_()

    def warm(self, batch: Batch, noise: Tensors) -> None:
        """Take one step and undo it, so that every piece of state exists."""
        before = {name: tensor.clone() for name, tensor in self.state().items()}
        self.step(batch, noise)
        self.restore(before)

    def _loss(self, batch: Batch, noise: Tensors) -> Tensor:
        if not self.stacked:
            return objective(self.model, self.repair, self.parameters, batch, noise)

        def one(parameters: Tensors, batch: Batch, noise: Tensors) -> Tensor:
            return objective(self.model, self.repair, parameters, batch, noise)

        total: Tensor = vmap(one, randomness="error")(self.parameters, batch, noise).sum()
        return total

    def _mapped(self, function: Any, *arguments: Any) -> Any:
        """Call one of the repair's hooks for one member, or mapped; dictionaries carry the member axis."""
        if not self.stacked:
            return function(*arguments)
        plain = [a for a in arguments if not isinstance(a, dict)]

        def one(*dictionaries: Tensors) -> Any:
            return function(*dictionaries, *plain)

        return vmap(one, randomness="error")(*(a for a in arguments if isinstance(a, dict)))

    def _keep(self, memory: Tensors) -> None:
        if self.t.device.type == "cpu" and not self.stacked:
            self.memory = memory
            return
        # captured graphs hold the very buffers, so on a GPU memory is written in place
        for name, tensor in memory.items():
            self.memory[name].copy_(tensor)
