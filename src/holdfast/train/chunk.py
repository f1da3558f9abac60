"""Members that take their optimiser steps together: one by itself, or many stacked on a leading axis."""

from typing import Any

import torch
from torch import Tensor
from torch.func import vmap

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.settings import name_of
from holdfast.data.base import Task
from holdfast.models.base import Model
from holdfast.train.job import stack
from holdfast.train.objective import objective
from holdfast.train.optimise import Optimiser, groups_of, set_rate
from holdfast.train.repair import Repair, Tensors
from holdfast.train.teacher import of_teacher


class Chunk:
    """Parameters, optimiser state and the repair's memory of some members.

    The loss is summed over members, never averaged, and nothing crosses them, so a member's path is the same
    alone or stacked. There is one task for each member; several members are stacked. The weights of
    teachers are ``parameters`` named ``teacher/…``: only the losses see them, and nothing writes onto them.
    """

    def __init__(
        self,
        model: Model,
        parameters: Tensors,
        optimiser: Optimiser,
        repair: Repair,
        tasks: tuple[Task, ...],
        decay_embeddings: bool = False,
    ) -> None:
        self.model, self.repair, self.stacked = model, repair, len(tasks) > 1
        self.teacher = {name: tensor.detach() for name, tensor in of_teacher(parameters).items()}
        own = {name: tensor for name, tensor in parameters.items() if name not in self.teacher}
        self.parameters = {name: tensor.detach().clone() for name, tensor in own.items()}
        mine = {name for name, _ in model.named_parameters() if repair.trains(name)}
        mine -= set(model.attention_names) if repair.freezes_attention else set()
        mine &= set(model.attention_names) if repair.attention_alone else mine
        self.trained = {n: t.requires_grad_() for n, t in self.parameters.items() if n in mine}
        if not self.trained:
            raise self._refused("at least one tensor to train, but trains says no to every one")
        self.lr = optimiser.lr
        self.optimizer = optimiser.over(groups_of(self.trained, optimiser, decay_embeddings))
        self.t = torch.zeros((), dtype=torch.long, device=next(iter(self.parameters.values())).device)
        # copies, so that nothing is shared, and where training runs, wherever `begin` made them
        self.memory = {k: tensor.to(self.t.device, copy=True) for k, tensor in self._begun(tasks).items()}

    def values(self) -> Tensors:
        """The parameters without their graph."""
        return {name: tensor.detach() for name, tensor in self.parameters.items()}

    def step(self, batch: Batch, noise: Tensors) -> Tensor:
        """One step of every member, the repair's and then the optimiser's; returns the loss between them,
        summed over members."""
        self.t += 1
        self._go_on_from(self.repair.step, self.t)
        loss = self._loss(batch, noise)
        gradients = torch.autograd.grad(loss, list(self.trained.values()))
        for tensor, gradient in zip(self.trained.values(), gradients, strict=True):
            tensor.grad = gradient.contiguous()  # fused optimisers read memory in order, whatever the strides
        self.optimizer.step()
        return loss.detach()

    def turn(self, epoch: int, epochs: int) -> None:
        """The end of an epoch, as the repair wants it."""
        self._go_on_from(self.repair.turn, epoch, epochs)

    def outcome(self, epoch: int, epochs: int) -> Tensors:
        """The weights that count after this epoch."""
        outcome: Tensors = self._mapped(self.repair.outcome, self._training(), self.memory, epoch, epochs)
        return self.values() | {name: outcome[name] for name in self.trained}

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
        for name, tensor in self.trained.items():
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
        memory = self.memory | self.teacher
        if not self.stacked:
            return objective(self.model, self.repair, self.parameters, batch, noise, memory)

        def one(parameters: Tensors, batch: Batch, noise: Tensors, memory: Tensors) -> Tensor:
            return objective(self.model, self.repair, parameters, batch, noise, memory)

        total: Tensor = vmap(one, randomness="error")(self.parameters, batch, noise, memory).sum()
        return total

    def _training(self) -> Tensors:
        """The parameters that train, without their graph: all that hooks see."""
        return {name: tensor.detach() for name, tensor in self.trained.items()}

    def _begun(self, tasks: tuple[Task, ...]) -> Tensors:
        """Each member's first memory, one after another: their tasks may differ."""
        weights = self._training()
        if not self.stacked:
            return self.repair.begin(weights, tasks[0])
        return stack(
            [
                self.repair.begin({name: t[m] for name, t in weights.items()}, task)
                for m, task in enumerate(tasks)
            ]
        )

    def _mapped(self, function: Any, *arguments: Any) -> Any:
        """Call one of the repair's hooks for one member, or mapped; dictionaries carry the member axis."""
        if not self.stacked:
            return function(*arguments)
        plain = [a for a in arguments if not isinstance(a, dict)]

        def one(*dictionaries: Tensors) -> Any:
            return function(*dictionaries, *plain)

        return vmap(one, randomness="error")(*(a for a in arguments if isinstance(a, dict)))

    def _go_on_from(self, hook: Any, *when: Any) -> None:
        """Take over the parameters and the memory that ``step`` or ``turn`` gives back."""
        parameters, memory = self._mapped(hook, self._training(), self.memory, *when)
        for name in (parameters.keys() ^ self.trained.keys()) | (memory.keys() ^ self.memory.keys()):
            same = f"{hook.__name__} to give back the names that it is given"
            raise self._refused(f"{same}, but {name!r} was added or left out")
        # both are known before either is written: each may be the other's tensors
        weights, kept = self._changed(self.trained, parameters), self._changed(self.memory, memory)
        with torch.no_grad():
            for name, tensor in weights.items():
                self.trained[name].copy_(tensor)
        if self.t.device.type == "cpu" and not self.stacked:
            self.memory = self.memory | kept
            return
        # captured graphs hold the very buffers, so on a GPU memory is written in place
        for name, tensor in kept.items():
            self.memory[name].copy_(tensor)

    def _changed(self, before: Tensors, after: Tensors) -> Tensors:
        """What a hook changed; a copy where it gave back one of its inputs under another name."""
        held = {_place(tensor) for tensor in (*self.parameters.values(), *self.memory.values(), self.t)}
        changed: Tensors = {}
        for name, tensor in after.items():
            old = before[name]
            if (tensor.data_ptr(), tensor.stride()) == (old.data_ptr(), old.stride()):
                continue
            changed[name] = tensor.clone() if _place(tensor) in held else tensor
            held.add(_place(changed[name]))
        return changed

    def _refused(self, expected: str) -> BadSetting:
        return BadSetting(f"{name_of(type(self.repair))}: expected {expected}")


def _place(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr()
