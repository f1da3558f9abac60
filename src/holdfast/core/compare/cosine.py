"""Cosine similarity."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.ranks import correlation, unit


@dataclass(frozen=True)
class Cosine(Comparison):
    """Cosine of the angle between two rows of scores: ``a·b / (‖a‖ ‖b‖)`` (Chormai §4.2, against the truth).

    It uses |score|, or the score itself where scores are signed. Two rows of zeros (or without positions)
    count as the same, 1; a row of zeros against any other gives 0.

    >>> import torch
    >>> p, q = torch.tensor([1.0, 0.0]), torch.tensor([3.0, 4.0])
    >>> Cosine()(p, q, torch.tensor([True, True]))
    tensor(0.6000)
    """

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """The row of scores, scaled to length 1."""
        return unit(torch.where(mask, scores if signed else scores.abs(), 0.0))

    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """The cosine."""
        return correlation((a * b).sum(-1), a, b)
