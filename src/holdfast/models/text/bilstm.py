"""A recurrent network in both directions."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

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

    Columns of the weights are the gates i, f, o and the candidate g. At a hole the state passes unchanged.
    """

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.hidden, self.width = hidden, 2 * hidden
        bound = hidden**-0.5
        self.inputs = nn.Parameter(torch.empty(2, dim, 4 * hidden).uniform_(-bound, bound))
        self.states = nn.Parameter(torch.empty(2, hidden, 4 * hidden).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(2, 1, 4 * hidden).uniform_(-bound, bound))

    def forward(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T m"]:
        """The states of both directions, side by side."""
        ahead, back = torch.stack(self._steps(embedded, mask), 2).unbind(0)
        return torch.cat([ahead, back.flip(1)], -1) * mask[..., None]

    def summary(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """Each direction's last state."""
        ahead, back = self._steps(embedded, mask)[-1].unbind(0)
        return torch.cat([ahead, back], -1)

    def _steps(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        batch, length, _ = embedded.shape
        words, exists = embedded.transpose(0, 1), mask.transpose(0, 1)[..., None]
        both = torch.stack([words, words.flip(0)]).flatten(1, 2)
        projected = torch.baddbmm(self.bias, both, self.inputs).view(2, length, batch, -1)
        state = memory = embedded.new_zeros(2, batch, self.hidden)
        states, sizes = [], [3 * self.hidden, self.hidden]
        masks = torch.stack([exists, exists.flip(0)])
        # `unbind` rather than indexing: its backward pass is one stack, not a sum of T padded copies
        for inputs, here in zip(projected.unbind(1), masks.unbind(1), strict=True):
            gates, candidate = torch.split(torch.baddbmm(inputs, state, self.states), sizes, -1)
            write, keep, show = gates.sigmoid().chunk(3, -1)
            memory = torch.where(here, keep * memory + write * candidate.tanh(), memory)
            state = torch.where(here, show * memory.tanh(), state)
            states.append(state)
        return states
