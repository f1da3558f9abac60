"""Convolutions over words."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.rules import Domain, Part, Rules, rectified
from holdfast.models.bounded import DEEPEST
from holdfast.models.text.classifier import Encoder, TextArchitecture


@dataclass(frozen=True)
class Cnn(TextArchitecture):
    """Convolutions of several widths side by side, ReLU, concatenated (Jain ch. 4).

    ``h_t = ReLU(b + Σ_j W_j x_{t+j})`` with ``filters`` filters for each of ``kernels``.

    >>> Cnn(filters=8).encoder(dim=5).width
    32
    """

    filters: int = 32
    kernels: tuple[int, ...] = (1, 3, 5, 7)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("filters")
        if not self.kernels or any(kernel % 2 == 0 or not 0 < kernel <= DEEPEST for kernel in self.kernels):
            self._refuse("kernels", f"odd widths below {DEEPEST:,} such as 1+3+5")

    def encoder(self, dim: int) -> "Convolutions":
        """Freshly initialised convolutions."""
        return Convolutions(dim, self.filters, self.kernels)


class Convolutions(Encoder):
    """All kernels as one matrix product: each word is multiplied by every tap once, then taps are shifted.

    Kernels go from wide to narrow, so that the taps at one offset are the first columns of the output;
    ``taps`` holds them offset by offset. Faster than a convolution each for texts of any usual length.
    """

    domain: Domain = "positive"

    def __init__(self, dim: int, filters: int, kernels: Sequence[int]) -> None:
        super().__init__()
        self.kernels = tuple(sorted(kernels, reverse=True))
        self.width = filters * len(kernels)
        self.reach = self.kernels[0] // 2
        self.sizes = [
            filters * sum(kernel // 2 >= abs(offset) for kernel in self.kernels)
            for offset in range(-self.reach, self.reach + 1)
        ]
        bounds = torch.tensor(self.kernels).repeat_interleave(filters).mul(dim).rsqrt()
        taps = [(2 * torch.rand(dim, size) - 1) * bounds[:size] for size in self.sizes]
        self.taps = nn.Parameter(torch.cat(taps, 1))
        self.bias = nn.Parameter((2 * torch.rand(self.width) - 1) * bounds)

    def forward(
        self, embedded: Float[Tensor, "*L B T D"], mask: Bool[Tensor, "B T"], rules: Rules | None = None
    ) -> Float[Tensor, "B T m"]:
        """The states."""
        words, exists = embedded * mask[..., None], mask[..., None]
        if rules is None:
            return self._convolve(words, self.taps, self.bias).relu() * exists
        part = Part(self._convolve, words, self.taps, "input")
        return rectified(rules, [part], self.bias) * exists

    def _convolve(self, words: Tensor, taps: Tensor, start: Tensor | float = 0.0) -> Float[Tensor, "B T m"]:
        states: Tensor | float = start
        products, length = torch.split(words @ taps, self.sizes, -1), words.shape[-2]
        for offset, product in zip(range(-self.reach, self.reach + 1), products, strict=True):
            if abs(offset) < length:
                beside = (0, self.width - product.shape[-1], -offset, offset)
                states = states + F.pad(product, beside)
        assert isinstance(states, Tensor)
        return states

    def subsets(self, embedded: Float[Tensor, "T D"], kept: Bool[Tensor, "S T"]) -> Float[Tensor, "S T m"]:
        """The states of many subsets: each word meets the taps once, and a subset adds up what it keeps."""
        reach, length = self.reach, len(embedded)
        products = torch.split(embedded @ self.taps, self.sizes, -1)
        padded = [F.pad(one, (0, self.width - one.shape[-1], reach, reach)) for one in products]
        near = torch.stack([one[at : at + length] for at, one in enumerate(padded)], 1)
        keeps = F.pad(kept.to(near.dtype), (reach, reach)).unfold(-1, len(padded), 1)
        states = torch.baddbmm(self.bias, keeps.transpose(0, 1), near).transpose(0, 1)
        return states.relu() * kept[..., None]

    def summary(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """The largest state of each filter; states are never negative, so a hole never wins."""
        return self(embedded, mask).amax(1)  # type: ignore[no-any-return]
