"""Jensen–Shannon divergence."""

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.distribution import distribution


@dataclass(frozen=True)
class JensenShannon(Comparison):
    """Jensen–Shannon divergence of the scores as distributions, in nats: from 0 to log 2 ≈ 0.693.

    ``JS(p, q) = H(m) − ½ H(p) − ½ H(q)``, ``m = ½ (p + q)`` and H the entropy (SEAT, JSD of attention). The
    verdict uses it, because it is symmetric, bounded, and needs no floor.

    >>> import torch
    >>> p, q = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    >>> JensenShannon()(p, q, torch.tensor([True, True]))
    tensor(0.6931)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, math.log(2.0))
    higher_is_better: ClassVar[bool] = False

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """The distribution."""
        return distribution(scores, mask, signed)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """The divergence, term by term: what rounding brings below 0 is 0."""
        middle = (a + b) / 2
        terms = (torch.xlogy(a, a) + torch.xlogy(b, b)) / 2 - torch.xlogy(middle, middle)
        return terms.clamp(min=0.0).sum(-1).clamp(max=math.log(2.0))
