"""Adversarial training of the attention scores."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.models.base import Architecture
from holdfast.models.run import Run
from holdfast.repair.adversary import FARTHEST, against_scores, check_attends, check_strength, scaled
from holdfast.train.repair import Repair, Teacher, Tensors


@dataclass(frozen=True)
class AttentionAt(Repair):
    """Train against attention scores moved the way that raises the loss most: ``L(s) + L(s + r)``,
    ``r = ε g / ‖g‖₂`` (Kitada & Iyatomi 2021).

    s are the scores before the softmax, g is the gradient of L by them, and r has no gradient. Each row that
    a softmax makes has its own r: one for a text, one for each position of self-attention. ``strength`` is ε.

    >>> AttentionAt(strength=0.5)
    AttentionAt(strength=0.5)
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        check_strength(self, self.strength, FARTHEST)

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """None; a model without attention is refused."""
        check_attends(self, model)
        return super().teachers(model)

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """Both losses."""
        return against_scores(run, batch, noise, self.shift)

    def shift(
        self, slope: Float[Tensor, "*N T"], weights: Float[Tensor, "*N T"], allowed: Bool[Tensor, "*N T"]
    ) -> Float[Tensor, "*N T"]:
        """r of each row."""
        return scaled(slope, self.strength)
