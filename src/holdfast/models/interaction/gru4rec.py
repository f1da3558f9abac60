"""A recurrent network over a history: the control without attention."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from holdfast.core.records import PLAIN, Batch, Edit
from holdfast.data.base import Task
from holdfast.models.blocks import Maps
from holdfast.models.interaction.losses import Loss
from holdfast.models.interaction.recommender import NextItem, Recommender
from holdfast.models.layers import dropout


@dataclass(frozen=True)
class Gru4rec(NextItem):
    """One layer of gated recurrent units (Hidasi et al. 2016), with the losses of ``sasrec``.

    ``dropout`` acts on the item vectors.

    >>> model = Gru4rec(dim=8).build(Task(10, (), length=5))
    >>> sum(p.numel() for p in model.parameters())
    496
    """

    attends: ClassVar[bool] = False

    def model(self, task: Task) -> "Gated":
        """A freshly initialised model."""
        return Gated(task, self.dim, self.dropout, self.loss, self.negatives)


class Gated(Recommender):
    """``n = tanh(W x + b + σ(r)(U h + c))``, ``h_t = (1 − σ(z)) n + σ(z) h_{t−1}``; a hole leaves h as it is.

    Columns of the weights are the gates r, z and the candidate n, as in ``torch.nn.GRU``; all weights start
    uniform within ±1/√d, as there.
    """

    def __init__(self, task: Task, dim: int, rate: float, loss: Loss, negatives: int) -> None:
        super().__init__(task, dim, loss, negatives)
        self.rate, self.dim, bound = rate, dim, dim**-0.5
        self.inputs = nn.Parameter(torch.empty(dim, 3 * dim).uniform_(-bound, bound))
        self.states = nn.Parameter(torch.empty(dim, 3 * dim).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(3 * dim).uniform_(-bound, bound))
        self.inner = nn.Parameter(torch.empty(dim).uniform_(-bound, bound))

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Float[Tensor, "B T e"]:
        """What each item brings to the gates, ``W x + b``."""
        dropped = dropout(embedded, edit.noise, "items", self.rate)
        # flat: under vmap a product of three axes would copy the weights for every example
        flat = torch.addmm(self.bias, dropped.flatten(0, 1), self.inputs)
        return torch.unflatten(flat, 0, embedded.shape[:2])

    def hidden(self, states: Tensor, batch: Batch, edit: Edit) -> tuple[Float[Tensor, "B T d"], Maps]:
        """h after every position."""
        return torch.stack(self._steps(states, batch), 1), ()

    def last(self, states: Tensor, batch: Batch, edit: Edit = PLAIN) -> Float[Tensor, "B d"]:
        """h after the last position."""
        return self._steps(states, batch)[-1]

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout of item vectors."""
        rows, length = batch.mask.shape[-2:]
        return {"items": (rows, length, self.dim)} if self.rate else {}

    def _steps(self, brought: Tensor, batch: Batch) -> list[Tensor]:
        state, states = brought.new_zeros(brought.shape[0], self.dim), []
        sizes = [2 * self.dim, self.dim]
        for here, exists in zip(brought.unbind(1), batch.mask[..., None].unbind(1), strict=True):
            (gates, candidate), (old, turn) = (torch.split(x, sizes, -1) for x in (here, state @ self.states))
            reset, stay = (gates + old).sigmoid().chunk(2, -1)
            new = (candidate + reset * (turn + self.inner)).tanh()
            state = torch.where(exists, new + stay * (state - new), state)
            states.append(state)
        return states
