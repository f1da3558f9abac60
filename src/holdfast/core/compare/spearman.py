"""Spearman's rank correlation."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.ranks import centred_ranks, correlation, unit


@dataclass(frozen=True)
class Spearman(Comparison):
    """Spearman's rank correlation: Pearson's of the ranks, which equal scores share (Baumhauer §4.2).

    Ranks are by |score|, or by the score itself where scores are signed. Two constant rows (or rows of fewer
    than two positions) give 1, a constant row against one that varies 0.

    >>> import torch
    >>> p, q = torch.tensor([0.4, 0.3, 0.2, 0.1]), torch.tensor([0.3, 0.4, 0.2, 0.1])
    >>> Spearman()(p, q, torch.ones(4, dtype=torch.bool))
    tensor(0.8000)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """Centred ranks of length 1; zeros where there is no order."""
        return unit(centred_ranks(scores, mask, signed))

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """The cosine of the centred ranks."""
        return correlation((a * b).sum(-1), a, b)
