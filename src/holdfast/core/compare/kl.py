"""Kullback–Leibler divergence."""

import math
from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.distribution import distribution, divergence
from holdfast.core.errors import BadSetting


@dataclass(frozen=True)
class Kl(Comparison):
    """Kullback–Leibler divergence, in nats; a score of exactly 0 counts as 1e-12 and can outweigh all else.

    ``KL(p‖q) = Σ p log(p / max(q, floor))`` of the scores as distributions. Jain calls it entropy H (§4.1.2,
    Figure 4.3). It is asymmetric: pairings average both directions, which is half of :class:`Jeffreys`.
    Where explanations have zeros it mostly measures where the zeros are: 1 % of weight on a position where
    the other has 0 adds 0.23 nats. Jensen–Shannon and total variation need no floor.

    >>> import torch
    >>> p = torch.tensor([.1, .05, .001, .5, .15, .05, .05, .02, .009, .07])
    >>> q = torch.tensor([.03, .1, .1, .12, .48, .05, .05, .008, .002, .06])
    >>> round(Kl()(p, q, torch.ones(10, dtype=torch.bool)).item(), 3)
    0.663
    """

    symmetric: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    higher_is_better: ClassVar[bool] = False

    floor: float = 1e-12

    def __post_init__(self) -> None:
        check_floor("kl", self.floor)

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """The distribution."""
        return distribution(scores, mask, signed)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """``KL(a‖b)``."""
        return divergence(a, b, self.floor)


def check_floor(name: str, floor: float) -> None:
    """Refuse a floor outside [1e-30, 1e-3]: too small for float32, or large enough to change the result."""
    if not 1e-30 <= floor <= 1e-3:
        raise BadSetting(f"{name}: expected floor between 1e-30 and 1e-3, but got {floor}")
