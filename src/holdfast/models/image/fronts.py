"""What is done to a strip before it meets the state: nothing, dense layers, or convolutions."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, repeat
from typing import cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.rules import Domain, Rules
from holdfast.models.image.convolution import Convolution, halved
from holdfast.models.image.layers import POOL, Drop, Layer, dense

FILTERS, KERNELS = (24, 32), (5, 3)


class Front(nn.Module, ABC):
    """Strips in, one row of ``width`` numbers per step out, for all steps at once."""

    domain: Domain = "positive"
    width: int
    drops: dict[str, int]

    @abstractmethod
    def forward(
        self,
        embedded: Float[Tensor, "*L B T H w"],
        mask: Bool[Tensor, "B T"],
        drop: Drop,
        rules: Rules | None,
    ) -> Float[Tensor, "*L B T n"]:
        """The features of every step."""


class Pixels(Front):
    """The pixels themselves."""

    domain: Domain = "input"

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        self.width, self.drops = height * width, {}

    def forward(
        self, embedded: Tensor, mask: Tensor, drop: Drop, rules: Rules | None
    ) -> Float[Tensor, "*L B T n"]:
        """Each strip as one row."""
        return embedded.flatten(-2)


class Dense(Front):
    """Fully-connected layers, one after another."""

    def __init__(self, inputs: int, widths: Sequence[int]) -> None:
        super().__init__()
        self.width = widths[-1]
        self.drops = {f"front{place}": width for place, width in enumerate(widths)}
        self.layers = nn.ModuleList(dense(a, b) for a, b in pairwise((inputs, *widths)))

    def forward(
        self, embedded: Tensor, mask: Tensor, drop: Drop, rules: Rules | None
    ) -> Float[Tensor, "B T n"]:
        """The last layer's activations."""
        x, domain = embedded.flatten(-2), _domains()
        for name, layer in zip(self.drops, self.layers, strict=True):
            x = drop.over_time(cast(Layer, layer).rectified(x, rules, next(domain)), name)
        return x


class Convolved(Front):
    """Two rounds of convolution and pooling, and a fully-connected layer (Chormai Figure 4.9); with
    ``literal`` connections as in Figure 4.15."""

    def __init__(self, height: int, width: int, outputs: int, literal: bool) -> None:
        super().__init__()
        self.width, self.drops, self.literal = outputs, {"front": outputs}, literal
        channels = pairwise((1, *FILTERS))
        self.layers = nn.ModuleList(
            Convolution(a, b, kernel, literal) for (a, b), kernel in zip(channels, KERNELS, strict=True)
        )
        self.dense = dense(FILTERS[-1] * shrunk(height) * shrunk(width), outputs)

    def forward(
        self, embedded: Tensor, mask: Tensor, drop: Drop, rules: Rules | None
    ) -> Float[Tensor, "B T n"]:
        """The fully-connected layer's activations."""
        x, domain = embedded.flatten(-4, -3), _domains()
        for layer, filters in zip(self.layers, FILTERS, strict=True):
            x = halved(layer(x, mask, rules, next(domain)), filters)
        maps = torch.unflatten(x, -1, (-1, FILTERS[-1])).movedim(-1, -3)
        flat = torch.unflatten(maps.flatten(-3), 0, mask.shape)
        return drop.over_time(self.dense.rectified(flat, rules), "front")


def shrunk(size: int, rounds: int = 2) -> int:
    """How much is left of a side after ``rounds`` of pooling.

    >>> shrunk(28), shrunk(7), shrunk(2)
    (7, 2, 1)
    """
    for _ in range(rounds):
        size = -(-size // POOL)
    return size


def _domains() -> Iterator[Domain]:
    """Pixels first, activations from then on."""
    return cast(Iterator[Domain], chain(("input",), repeat("positive")))
