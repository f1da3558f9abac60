"""A plain recurrent network."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.rules import Part, Rules, activation, affine, matmul
from holdfast.models.text.classifier import Encoder, TextArchitecture


@dataclass(frozen=True)
class Rnn(TextArchitecture):
    """A tanh recurrent network in one direction (Elman 1990; SEAT).

    ``h_t = tanh(W x_t + U h_{t−1} + b)``.

    >>> Rnn(hidden=8).encoder(dim=5).width
    8
    """

    hidden: int = 128

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("hidden")

    def encoder(self, dim: int) -> "Elman":
        """A freshly initialised cell."""
        return Elman(dim, self.hidden)


class Elman(Encoder):
    """The inputs are projected all at once; at a hole the state passes unchanged."""

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.width = hidden
        bound = hidden**-0.5
        self.inputs = nn.Parameter(torch.empty(dim, hidden).uniform_(-bound, bound))
        self.states = nn.Parameter(torch.empty(hidden, hidden).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(hidden).uniform_(-bound, bound))

    def forward(
        self, embedded: Float[Tensor, "*L B T D"], mask: Bool[Tensor, "B T"], rules: Rules | None = None
    ) -> Float[Tensor, "B T m"]:
        """The states."""
        steps = self._steps(embedded, mask) if rules is None else self._ruled(embedded, mask, rules)
        return torch.stack(steps, 1) * mask[..., None]

    def summary(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """The last state."""
        return self._steps(embedded, mask)[-1]

    def _steps(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        projected = embedded.transpose(0, 1) @ self.inputs + self.bias
        state = embedded.new_zeros(embedded.shape[0], self.width)
        states = []
        for inputs, here in zip(projected.unbind(0), mask.t()[..., None].unbind(0), strict=True):
            state = torch.where(here, torch.addmm(inputs, state, self.states).tanh(), state)
            states.append(state)
        return states

    def _ruled(self, embedded: Tensor, mask: Tensor, rules: Rules) -> list[Tensor]:
        """The same by rules: word and state share one denominator."""
        words = rules.ahead(Part(matmul, embedded, self.inputs, "input"))
        state, states, weights = embedded.new_zeros(mask.shape[0], self.width), [], self.states
        for word, here in zip(words.x.unbind(-2), mask.t()[..., None].unbind(0), strict=True):
            parts = [words._replace(x=word), Part(matmul, state, weights, "signed")]
            state = torch.where(here, activation(rules, "tanh", affine(rules, parts, self.bias)), state)
            states.append(state)
        return states
