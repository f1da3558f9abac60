"""Adversarial training of the attention scores."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.repair.adversary import ScoreAdversary, scaled


@dataclass(frozen=True)
class AttentionAt(ScoreAdversary):
    """Train against attention scores moved the way that raises the loss most: ``L(s) + L(s + r)``,
    ``r = ε g / ‖g‖₂`` (Kitada & Iyatomi 2021).

    s are the scores before the softmax, g is the gradient of L by them, and r has no gradient. Each row that
    a softmax makes has its own r: one for a text, one for each position of self-attention. ``strength`` is ε.

    >>> AttentionAt(strength=0.5)
    AttentionAt(strength=0.5)
    """

    def shift(
        self, slope: Float[Tensor, "*N T"], weights: Float[Tensor, "*N T"], allowed: Bool[Tensor, "*N T"]
    ) -> Float[Tensor, "*N T"]:
        """r of each row."""
        return scaled(slope, self.strength)
