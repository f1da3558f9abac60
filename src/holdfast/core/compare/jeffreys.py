"""Jeffreys divergence."""

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.distribution import distribution
from holdfast.core.compare.kl import check_floor


@dataclass(frozen=True)
class Jeffreys(Comparison):
    """Symmetrised Kullback–Leibler divergence, in nats; a score of exactly 0 counts as 1e-12.

    ``J(p, q) = KL(p‖q) + KL(q‖p) = Σ (p − q) log(p / q)`` of the scores as distributions; in the logarithm p
    and q are at least ``floor``, so zeros can outweigh all else. Baumhauer calls half of it "JS", the code of
    SEAT "JSD".

    >>> import torch
    >>> p, q = torch.tensor([0.5, 0.5]), torch.tensor([0.25, 0.75])
    >>> Jeffreys()(p, q, torch.tensor([True, True]))
    tensor(0.2747)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    higher_is_better: ClassVar[bool] = False

    floor: float = 1e-12

    def __post_init__(self) -> None:
        check_floor("jeffreys", self.floor)

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """The distribution."""
        return distribution(scores, mask, signed)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """``Σ (a − b) log(a / b)``: every term is at least 0."""
        ratio = torch.log(a.clamp(min=self.floor)) - torch.log(b.clamp(min=self.floor))
        return ((a - b) * ratio).sum(-1)
