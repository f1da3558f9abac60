"""The gated recurrent unit, for comparison."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from holdfast.core.rules import Domain, Part, Rules, activation, affine, constant, matmul
from holdfast.data.base import Task
from holdfast.models.image.cells import Cell, gating, steps
from holdfast.models.image.classifier import CellArchitecture, Recurrent
from holdfast.models.image.fronts import Dense
from holdfast.models.image.layers import Drop, cut_normal, dropped


@dataclass(frozen=True)
class Gru(CellArchitecture):
    """x → 256, a GRU of 90, → classes (Cho et al. 2014); about as many weights as ``rlstm``.

    >>> model = Gru().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    145122
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Dense(strip[1] * strip[2], (256,))
        return Recurrent(task, front, Gated(256, 90), (), self.dropout, self.stationary)


class Gated(Cell):
    """``n = tanh(W x + b + σ(r)(U h + c))``, ``h_t = (1 − σ(z)) n + σ(z) h_{t−1}``.

    Columns of the weights are the gates r, z and the candidate n; rules hold the gates constant. What the
    gate r scales is written ``U (σ(r) h)`` in some places; here it is as in ``torch.nn.GRU``.
    """

    domain: Domain = "signed"

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.width, self.drops = hidden, {"hidden": hidden}
        self.inputs = cut_normal((inputs, 3 * hidden), inputs + hidden)
        self.states = cut_normal((hidden, 3 * hidden), inputs + hidden)
        self.bias = nn.Parameter(torch.zeros(3 * hidden))
        self.inner = nn.Parameter(torch.zeros(hidden))

    def forward(
        self, x: Tensor, mask: Tensor, drop: Drop, rules: Rules | None, domain: Domain
    ) -> Float[Tensor, "B m"]:
        """The last h."""
        state = x.new_zeros(mask.shape[0], self.width)
        keeps = drop.steps("hidden", mask.shape[1])
        ahead = x if rules is not None else x @ self.inputs + self.bias
        one = self._plain_step if rules is None else self._ruled_step
        for t, here, exists in steps(ahead, mask):
            new, stay = one(here, state, rules, domain)
            state = torch.where(exists, dropped((1.0 - stay) * new + stay * state, keeps[t]), state)
        return state

    def _plain_step(
        self, x: Tensor, state: Tensor, rules: Rules | None, domain: Domain
    ) -> tuple[Float[Tensor, "B m"], Float[Tensor, "B m"]]:
        """The candidate and the gate z."""
        from_gates, from_candidate = torch.split(x, [2 * self.width, self.width], -1)
        of_gates, of_candidate = torch.split(state @ self.states, [2 * self.width, self.width], -1)
        reset, stay = (from_gates + of_gates).sigmoid().chunk(2, -1)
        return (from_candidate + reset * (of_candidate + self.inner)).tanh(), stay

    def _ruled_step(
        self, x: Tensor, state: Tensor, rules: Rules | None, domain: Domain
    ) -> tuple[Float[Tensor, "B m"], Float[Tensor, "B m"]]:
        """The same, where the two sums of the candidate share one denominator: the gate goes into the op."""
        both = [2 * self.width, self.width]
        to_gates, to_candidate = torch.split(self.inputs, both, -1)
        of_gates, of_candidate = torch.split(self.states, both, -1)
        bias, offset = torch.split(self.bias, both, -1)
        read, kept = Part(matmul, x, to_gates, domain), Part(matmul, state, of_gates, "signed")
        reset, stay = constant(rules, gating(rules, read, kept, bias).sigmoid()).chunk(2, -1)
        parts = [
            Part(matmul, x, to_candidate, domain),
            Part(lambda h, weight: reset * (h @ weight), state, of_candidate, "signed"),
        ]
        return activation(rules, "tanh", affine(rules, parts, offset + reset * self.inner)), stay
