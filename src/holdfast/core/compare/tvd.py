"""Total variation distance."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.distribution import distribution


@dataclass(frozen=True)
class Tvd(Comparison):
    """Total variation distance of the scores as distributions: the share of weight that moved.

    ``TVD(p, q) = ½ Σ |p − q|`` (SEAT, there for predictions).

    >>> import torch
    >>> p, q = torch.tensor([0.5, 0.5]), torch.tensor([0.25, 0.75])
    >>> Tvd()(p, q, torch.tensor([True, True]))
    tensor(0.2500)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = False

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """The distribution."""
        return distribution(scores, mask, signed)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """Half the absolute difference."""
        return ((a - b).abs().sum(-1) / 2).clamp(max=1.0)

    def across(self, a: Float[Tensor, "M B S"], b: Float[Tensor, "N B S"]) -> Float[Tensor, "M N B"]:
        """Every one of ``a`` against every one of ``b``, in one pass over both.

        >>> import torch
        >>> p = torch.tensor([[[1.0, 0.0]], [[0.5, 0.5]]])
        >>> Tvd().across(p, p)[..., 0].tolist()
        [[0.0, 0.5], [0.5, 0.0]]
        """
        apart = torch.cdist(a.transpose(0, 1), b.transpose(0, 1), p=1.0)
        return (apart / 2).clamp(max=1.0).permute(1, 2, 0)
