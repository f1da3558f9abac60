"""Overlap of the first k positions."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.topset import check_k, clear_top, share
from holdfast.core.errors import BadSetting


@dataclass(frozen=True)
class TopkOverlap(Comparison):
    """Share of the top k positions that two explanations have in common: ``|A ∩ B| / max(|A|, |B|)``.

    A position is in the top k if at most k scores, its own included, are as high (SEAT, Definition 1).
    Positions tied for the last place are all left out, so a set may be smaller than k, and the size of the
    larger set stands in for k; two empty sets count as the same. Positions are ranked by |score|, or by the
    score itself where scores are signed.

    >>> import torch
    >>> p, q = torch.tensor([0.4, 0.3, 0.2, 0.1]), torch.tensor([0.4, 0.1, 0.3, 0.2])
    >>> TopkOverlap(k=2)(p, q, torch.ones(4, dtype=torch.bool))
    tensor(0.5000)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    k: int = 3

    def __post_init__(self) -> None:
        if self.k < 1:
            raise BadSetting(f"topk_overlap: expected k of at least 1, but got {self.k}")

    def suits(self, longest: int) -> None:
        """Some example with more positions than k."""
        check_k(self, self.k, longest)

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """1 at the top k positions."""
        return clear_top(scores, mask, signed, self.k)

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """The intersection over the larger set."""
        return share((a * b).sum(-1), torch.maximum(a.sum(-1), b.sum(-1)))
