"""What recurs: a cell reads the steps in order and gives its state after the last step that exists.

At a hole the state passes unchanged. Every cell names the layers that dropout acts on (``drops``) with their
widths, and says whether its state is behind a ReLU or signed (``domain``).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.rules import Domain, Part, Rules, activation, affine, constant, matmul, rectified
from holdfast.models.image.layers import Drop, cut_normal, dense, dropped, first_bias


class Cell(nn.Module, ABC):
    """Steps in, the last state out."""

    domain: Domain
    width: int
    drops: dict[str, int]

    @abstractmethod
    def forward(
        self,
        x: Float[Tensor, "*L B T n"],
        mask: Bool[Tensor, "B T"],
        drop: Drop,
        rules: Rules | None,
        domain: Domain,
    ) -> Float[Tensor, "B m"]:
        """The state after the last step that exists; ``domain`` says what ``x`` is."""


def steps(x: Float[Tensor, "*L B T n"], mask: Bool[Tensor, "B T"]) -> Iterator[tuple[int, Tensor, Tensor]]:
    """Each step with its number, and which examples have it."""
    # `unbind` rather than indexing: its backward pass is one stack, not a sum of T padded copies
    pairs = zip(x.unbind(-2), mask.unbind(-1), strict=True)
    return ((t, here, exists[:, None]) for t, (here, exists) in enumerate(pairs))


def gating(rules: Rules | None, x: Part, state: Part, bias: Tensor) -> Tensor:
    """The sum that gates are made of. As they are constants under rules plain products do, unless x carries
    an axis of the rules' own, which only they understand."""
    if x.domain == "input":
        return affine(rules, [x, state], bias)
    return x.x @ x.weight + state.x @ state.weight + bias


class Rectified(Cell):
    """``h_t = ReLU(W [x_t; r_t] − softplus(b))``, ``r_{t+1} = ReLU(V h_t − softplus(c))`` (Chormai §4.2).

    As no bias is positive, ``r`` of an empty state is 0, so h alone is the state.
    """

    domain: Domain = "positive"

    def __init__(self, inputs: int, hidden: int, recurrent: int) -> None:
        super().__init__()
        self.width, self.drops = hidden, {"recurrent": recurrent, "hidden": hidden}
        self.hidden = dense(inputs, hidden, extra=recurrent)
        self.recurrent = dense(hidden, recurrent)

    def forward(
        self, x: Tensor, mask: Tensor, drop: Drop, rules: Rules | None, domain: Domain
    ) -> Float[Tensor, "B m"]:
        """The last h."""
        state = x.new_zeros(mask.shape[0], self.width)
        keeps = [drop.steps(name, mask.shape[1]) for name in self.drops]
        if rules is not None:
            x, domain = self.hidden.ahead(x, rules, domain)
        for t, here, exists in steps(self.hidden.over_time(x, rules), mask):
            back = dropped(self.recurrent.rectified(state, rules), keeps[0][t])
            new = self.hidden.step(here, back, rules, domain)
            state = torch.where(exists, dropped(new, keeps[1][t]), state)
        return state


class Memory(Cell):
    """A long short-term memory: ``c_t = σ(f) c_{t−1} + σ(i) a(g)``, ``h_t = σ(o) b(c_t)``.

    Plain: a = b = tanh, ordinary biases (Hochreiter & Schmidhuber 1997). ``rectified``: a is a ReLU over a
    bias that is never positive, b does nothing, so the state stays ≥ 0: the R-LSTM (Chormai §4.4.2). Columns
    of the weights are the gates i, f, o and the candidate g; rules hold the gates constant.
    """

    def __init__(self, inputs: int, hidden: int, rectified: bool) -> None:
        super().__init__()
        self.width, self.drops, self.rectified = hidden, {"hidden": hidden}, rectified
        self.domain = "positive" if rectified else "signed"
        self.inputs = cut_normal((inputs, 4 * hidden), inputs + hidden)
        self.states = cut_normal((hidden, 4 * hidden), inputs + hidden)
        self.gates = nn.Parameter(torch.zeros(3 * hidden))
        self.offset = first_bias(hidden) if rectified else nn.Parameter(torch.zeros(hidden))

    def forward(
        self, x: Tensor, mask: Tensor, drop: Drop, rules: Rules | None, domain: Domain
    ) -> Float[Tensor, "B m"]:
        """The last h."""
        state = memory = x.new_zeros(mask.shape[0], self.width)
        keeps = drop.steps("hidden", mask.shape[1])
        ahead = x if rules is not None else x @ self.inputs + torch.cat([self.gates, self._bias()])
        for t, here, exists in steps(ahead, mask):
            gates, new = self._step(here, state, rules, domain)
            write, keep, show = constant(rules, gates.sigmoid()).chunk(3, -1)
            memory = torch.where(exists, keep * memory + write * new, memory)
            out = memory if self.rectified else activation(rules, "tanh", memory)
            state = torch.where(exists, dropped(show * out, keeps[t]), state)
        return state

    def _bias(self) -> Tensor:
        return -F.softplus(self.offset) if self.rectified else self.offset

    def _step(
        self, x: Tensor, state: Tensor, rules: Rules | None, domain: Domain
    ) -> tuple[Float[Tensor, "B 3m"], Float[Tensor, "B m"]]:
        """What the gates are made of, and the candidate."""
        sizes = [3 * self.width, self.width]
        if rules is None:
            gates, candidate = torch.split(torch.addmm(x, state, self.states), sizes, -1)
            return gates, candidate.relu() if self.rectified else candidate.tanh()
        (to_gates, to_candidate), (of_gates, of_candidate) = (
            torch.split(weight, sizes, -1) for weight in (self.inputs, self.states)
        )
        read, kept = Part(matmul, x, to_gates, domain), Part(matmul, state, of_gates, self.domain)
        parts = [read._replace(weight=to_candidate), kept._replace(weight=of_candidate)]
        gates = gating(rules, read, kept, self.gates)
        if self.rectified:
            return gates, rectified(rules, parts, self._bias())
        return gates, activation(rules, "tanh", affine(rules, parts, self._bias()))
