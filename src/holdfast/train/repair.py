"""The contract of a repair: a change of training that should make explanations hold."""

from abc import ABC
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch, Edit, Member
from holdfast.data.base import Dataset, Split, Task
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run

Tensors = dict[str, Tensor]


class Teacher(NamedTuple):
    """Whose finished member is needed: of which model, with which repair; of the same seed (and fold), or of
    one ``seed`` for all."""

    model: Architecture
    repair: str
    seed: int | None = None

    def whose(self, member: Member) -> Member:
        """The member that this one learns from."""
        return member if self.seed is None else replace(member, seed=self.seed)


class Repair(ABC):  # noqa: B024 - every method has a default: a plain subclass is `none`
    """Hooks of the training loop, written for one member in pure tensor operations (they are mapped).

    ``memory`` is the repair's own state; ``t`` counts all optimiser steps from 1, as a tensor. ``stops`` says
    that the best epoch counts and training may stop early; without it every epoch runs and the last counts.
    ``averages`` says that ``turn`` or ``outcome`` gives other weights than it is given;
    ``freezes_attention`` that what makes attention maps (``Model.attention_names``) does not train,
    ``attention_alone`` that nothing else does;
    ``balances`` that it gives every class the same share of training, however rare. ``needs`` names the
    repair whose finished member of the same seed (and fold) must be there first: a student's teacher. Members
    of other models, or of several, are what ``teachers`` is for.
    ``begin``, ``step``, ``turn`` and ``outcome`` are given the tensors that train, and no others. ``begin``
    and ``finish`` are called for one member after another and may be any code that draws nothing.

    Weights and memory lie where training runs, which may be a GPU; what ``begin`` makes is taken there. The
    ``validation`` split that ``finish`` is given lies on the CPU.
    """

    stops: ClassVar[bool] = True
    averages: ClassVar[bool] = False
    freezes_attention: ClassVar[bool] = False
    attention_alone: ClassVar[bool] = False
    balances: ClassVar[bool] = False
    needs: ClassVar[str | None] = None

    @property
    def changes_losses(self) -> bool:
        """Whether the losses are others than the model's."""
        return type(self).losses is not Repair.losses

    @property
    def only_finishes(self) -> bool:
        """Whether it changes nothing of training, so that it suits models that take no gradient steps."""
        own = {name for name in vars(Repair) if not name.startswith("_") and name != "finish"}
        return all(getattr(type(self), name) is getattr(Repair, name) for name in own)

    def trains(self, name: str) -> bool:
        """Whether this tensor is trained; if not it stays as it is, without weight decay or averaging."""
        return True

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """Whose members must be finished first, each under a name of its own: weights of the teacher ``a``
        are called ``teacher/a/<name>``, those of the teacher without a name ``teacher/<name>``. A model that
        the repair cannot be used with is refused here, before anything is trained."""
        return {} if self.needs is None else {"": Teacher(model, self.needs)}

    def suits(self, model: Model, dataset: Dataset) -> None:  # noqa: B027 - most refuse nothing
        """Refuse a model, of which the structure alone is looked at, or data that the repair cannot train
        with: before anything is trained."""

    def first(self, parameters: Tensors, model: Model) -> Tensors:
        """The weights that training begins with, given a new member's and, beside them, its teachers'."""
        return parameters

    def chances(self, task: Task) -> tuple[float, ...]:
        """How likely a row of each class is to be drawn for an epoch, in proportion: as many rows as there
        are, with replacement. Nothing: every row is taken once."""
        return ()

    def negatives(self, count: int) -> int:
        """How many negatives are drawn for each item where the model's settings say ``count``."""
        return count

    def draws(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """The shapes of the uniform numbers that the losses want for this batch, examples first.

        They come in ``noise`` as ``repair/<name>``, beside the model's.
        """
        return {}

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """The loss of each example, given the memory that ``step`` made for this very step. Beside it stand
        the weights of the ``teachers``, which stay as they are and which no other hook but ``first`` is
        given."""
        return run.losses(batch, Edit(noise=noise))

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """The memory before the first step; ``task.counts`` are the classes of what the member trains on."""
        return {}

    def step(self, parameters: Tensors, memory: Tensors, t: Int[Tensor, ""]) -> tuple[Tensors, Tensors]:
        """Parameters and memory for the optimiser's step ``t``, before its loss, which sees both.

        Nothing is written where a tensor is given back as it came. After the last optimiser's step of an
        epoch comes ``turn``, with no ``step`` between.
        """
        return parameters, memory

    def turn(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> tuple[Tensors, Tensors]:
        """Parameters and memory after epoch ``epoch`` (from 1): what training goes on from."""
        return parameters, memory

    def outcome(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> Tensors:
        """The weights that count after this epoch: they are evaluated, and kept when they are the best."""
        return parameters

    def rate(self, epoch: int, epochs: int) -> float:
        """What the learning rate is multiplied by in epoch ``epoch`` (from 1)."""
        return 1.0

    def finish(self, run: Run, validation: Split) -> Tensors:
        """The member's weights after training, from the best ones; it has not trained on ``validation``."""
        return run.parameters


@dataclass(frozen=True)
class Nothing(Repair):
    """Training as it is: what every repair is held against."""

    name = "none"


def first_weights(repair: Repair, model: Model, stacked: Tensors) -> Tensors:
    """What each of the stacked members begins with, where that is not what it is given."""
    names = [name for name, _ in model.named_parameters()]
    given = [{name: t[m] for name, t in stacked.items()} for m in range(len(stacked[names[0]]))]
    begun = [repair.first(weights, model) for weights in given]
    changed = [name for name in names if begun[0][name] is not given[0][name]]
    return {name: torch.stack([weights[name] for weights in begun]) for name in changed}
