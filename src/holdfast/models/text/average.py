"""No context at all: every word by itself."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.rules import Rules, activation
from holdfast.models.layers import linear
from holdfast.models.text.classifier import Encoder, TextArchitecture


@dataclass(frozen=True)
class Average(TextArchitecture):
    """Each word is projected by itself, so attention is a weighted average of words (Jain ch. 4).

    ``h_t = tanh(W x_t + b)``.

    >>> Average(hidden=8).encoder(dim=5).width
    8
    """

    hidden: int = 128

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("hidden")

    def encoder(self, dim: int) -> "Projection":
        """A freshly initialised projection."""
        return Projection(dim, self.hidden)


class Projection(Encoder):
    """A linear layer and tanh, position by position."""

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.width = hidden
        self.project = nn.Linear(dim, hidden)

    def forward(
        self, embedded: Float[Tensor, "*L B T D"], mask: Bool[Tensor, "B T"], rules: Rules | None = None
    ) -> Float[Tensor, "B T m"]:
        """The states."""
        return activation(rules, "tanh", linear(rules, self.project, embedded, "input")) * mask[..., None]

    def summary(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """The mean state; a text without words has mean 0."""
        count = mask.sum(1, keepdim=True).clamp(min=1)
        return self(embedded, mask).sum(1) / count  # type: ignore[no-any-return]
