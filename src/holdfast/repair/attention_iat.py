"""Adversarial training of the attention scores, towards one another."""

from dataclasses import dataclass
from typing import Literal, get_args

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.repair.adversary import ScoreAdversary, scaled

Rows = Literal["unit", "raw"]


@dataclass(frozen=True)
class AttentionIat(ScoreAdversary):
    """Train against scores that move towards and away from one another: ``L(s) + L(s + r)``,
    ``r_t = Σ_t' α_tt' d_tt'``, ``d_tt' = s_t' − s_t`` with ``‖d_t‖₂ = 1``, ``α = ε g / ‖g‖₂``, g the gradient
    of L by α at 0 (Kitada & Iyatomi 2021).

    As ``g_tt' = (∂L/∂s_t) d_tt'``, this is ``r_t = ε ‖d_t‖² (∂L/∂s_t) / √Σ_u ‖d_u‖² (∂L/∂s_u)²``: with rows
    of length 1 it is attention_at, but that equal scores stay as they are. ``rows=raw`` leaves the rows as
    long as they are, and moves those most that lie far from the others. ``strength`` is ε.

    >>> repair, scores = AttentionIat(rows="raw"), torch.tensor([[0.0, 0.0, 3.0]])
    >>> repair.shift(torch.ones(1, 3), scores.softmax(-1), torch.ones(1, 3, dtype=torch.bool))
    tensor([[1.5000, 1.5000, 3.0000]])
    """

    rows: Rows = "unit"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows not in get_args(Rows):
            raise BadSetting(f"attention_iat: expected rows to be unit or raw, but got {self.rows}")

    def shift(
        self, slope: Float[Tensor, "*N T"], weights: Float[Tensor, "*N T"], allowed: Bool[Tensor, "*N T"]
    ) -> Float[Tensor, "*N T"]:
        """r of each row, by the closed form."""
        scores = weights.clamp(min=torch.finfo(weights.dtype).tiny).log()
        highest = scores.masked_fill(~allowed, -torch.inf).amax(-1, keepdim=True)
        lowest = scores.masked_fill(~allowed, torch.inf).amin(-1, keepdim=True)
        if self.rows == "unit":
            return scaled(slope * (highest > lowest), self.strength)
        count = allowed.sum(-1, keepdim=True)
        middle = (scores * allowed).sum(-1, keepdim=True) / count.clamp(min=1)
        apart = (scores - middle) * allowed
        squares = count * apart.square() + apart.square().sum(-1, keepdim=True)  # ‖d_t‖²
        # r_t = ε · length_t · (length_t · slope_t) / ‖length · slope‖
        lengths = squares.sqrt()
        return lengths * scaled(slope * lengths, self.strength)
