"""A recurrent network in both directions."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.rules import Part, Rules, activation, affine, constant, matmul
from holdfast.models.text.classifier import Encoder, TextArchitecture


@dataclass(frozen=True)
class Bilstm(TextArchitecture):
    """A long short-term memory in each direction (Hochreiter & Schmidhuber 1997; Jain ch. 4).

    ``c_t = σ(f) c_{t−1} + σ(i) tanh(g)``, ``h_t = σ(o) tanh(c_t)``; ``hidden`` units per direction.

    >>> Bilstm(hidden=8).encoder(dim=5).width
    16
    """

    hidden: int = 128

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("hidden")

    def encoder(self, dim: int) -> "Recurrence":
        """A freshly initialised pair of cells."""
        return Recurrence(dim, self.hidden)


class Recurrence(Encoder):
    """Both directions step together, on a leading axis of 2; the inputs are projected all at once.

    Each direction reads the words that exist in its own order and the holes last, where they can change
    nothing; the states are then put back in their places. Rows of the weights are the gates i, f, o and the
    candidate g.
    """

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.hidden, self.width = hidden, 2 * hidden
        bound = hidden**-0.5
        self.inputs = nn.Parameter(torch.empty(2, dim, 4 * hidden).uniform_(-bound, bound))
        # transposed: the backward pass, the larger one, then multiplies by it as it lies in memory
        self.states = nn.Parameter(torch.empty(2, 4 * hidden, hidden).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(2, 1, 4 * hidden).uniform_(-bound, bound))

    def forward(
        self, embedded: Float[Tensor, "*L B T D"], mask: Bool[Tensor, "B T"], rules: Rules | None = None
    ) -> Float[Tensor, "B T m"]:
        """The states of both directions, side by side."""
        batch, length = mask.shape
        order = _reading(mask)
        steps = self._steps(embedded, order) if rules is None else self._ruled(embedded, order, rules)
        states = torch.stack(steps, 1).flatten(0, 2)
        ways, rows = _count(2, mask), _count(batch, mask)
        place = (ways * length + order.argsort(-1).movedim(0, 2)) * batch + rows[:, None, None]
        return states.index_select(0, place.flatten()).view(batch, length, -1) * mask[..., None]

    def summary(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """Each direction's last state."""
        last = _count(mask.shape[1], mask) == mask.sum(1, keepdim=True) - 1
        states = torch.stack(self._steps(embedded, _reading(mask)), 2)
        return (states * last[..., None]).sum(2).transpose(0, 1).flatten(1)

    def _steps(self, embedded: Tensor, order: Int[Tensor, "2 B T"]) -> list[Float[Tensor, "2 B h"]]:
        batch, length, _ = embedded.shape
        both = _read(embedded, order).flatten(1, 2)
        projected = torch.baddbmm(self.bias, both, self.inputs).view(2, length, batch, -1)
        state = memory = embedded.new_zeros(2, batch, self.hidden)
        states, weights, sizes = [], self.states.mT, [3 * self.hidden, self.hidden]
        # `unbind` rather than indexing: its backward pass is one stack, not a sum of T padded copies
        for inputs in projected.unbind(1):
            gates, candidate = torch.split(torch.baddbmm(inputs, state, weights), sizes, -1)
            write, keep, show = gates.sigmoid().chunk(3, -1)
            memory = keep * memory + write * candidate.tanh()
            state = show * memory.tanh()
            states.append(state)
        return states

    def _ruled(self, embedded: Tensor, order: Tensor, rules: Rules) -> list[Float[Tensor, "2 B h"]]:
        """The same by rules: gates are constants; word and state share the candidate's denominator."""
        state = memory = embedded.new_zeros(2, order.shape[1], self.hidden)
        sizes = [3 * self.hidden, self.hidden]
        inputs, weights, biases = (
            torch.split(tensor, sizes, -1) for tensor in (self.inputs, self.states.mT, self.bias)
        )
        read = _read(embedded, order)
        rows = read.flatten(-3, -2)
        ahead = [rules.ahead(Part(matmul, rows, w, "input")) for w in inputs]
        cut = [torch.unflatten(part.x, -2, read.shape[-3:-1]).unbind(-3) for part in ahead]
        states = []
        for words in zip(*cut, strict=True):
            gates, candidate = (
                affine(rules, [part._replace(x=x), Part(matmul, state, u, "signed")], b)
                for part, x, u, b in zip(ahead, words, weights, biases, strict=True)
            )
            write, keep, show = constant(rules, gates.sigmoid()).chunk(3, -1)
            memory = keep * memory + write * activation(rules, "tanh", candidate)
            state = show * activation(rules, "tanh", memory)
            states.append(state)
        return states


def _count(n: int, like: Tensor) -> Tensor:
    return torch.arange(n, device=like.device)


def _read(embedded: Float[Tensor, "*L B T D"], order: Int[Tensor, "2 B T"]) -> Float[Tensor, "*L 2 T B D"]:
    """The words as each direction meets them."""
    batch, length = embedded.shape[-3:-1]
    rows = (order + length * _count(batch, order)[:, None]).mT.flatten()
    read = embedded.flatten(-3, -2).index_select(-2, rows)
    return read.view(*read.shape[:-2], 2, length, batch, read.shape[-1])


def _reading(mask: Bool[Tensor, "B T"]) -> Int[Tensor, "2 B T"]:
    """Which position each direction reads when: the words that exist, then the holes.

    >>> _reading(torch.tensor([[True, True, False, True]])).tolist()
    [[[0, 1, 3, 2]], [[3, 1, 0, 2]]]
    """
    length = mask.shape[1]
    position = _count(length, mask)
    return torch.stack([position, -position]).unsqueeze(1).where(mask, position + length).argsort(-1)
