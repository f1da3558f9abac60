"""Leave one out."""

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.base import Explainer, log_odds
from holdfast.explain.slope import pieces, repeat
from holdfast.models.base import Run


@dataclass(frozen=True)
class LeaveOneOut(Explainer):
    """``F(x) − F(x without position t)``, F the log-odds (Li et al. 2016; Baumhauer).

    The position becomes a hole: nothing moves up, no other word takes its place.
    About ``chunk`` rows are worked on at once.

    >>> LeaveOneOut().signed
    True
    """

    signed: ClassVar[bool] = True

    chunk: int = 256

    def __post_init__(self) -> None:
        if self.chunk < 1:
            raise BadSetting(f"leave_one_out: expected chunk to be at least 1, but got {self.chunk}")

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """The fall of the log-odds when the position is gone."""
        whole = log_odds(run(batch).logits, target)
        length = batch.mask.shape[-1]
        others = ~torch.eye(length, dtype=torch.bool, device=batch.mask.device)
        falls = []
        for piece in pieces(length, len(batch), self.chunk):
            holes = batch.mask & others[piece, None]
            many = replace(repeat(batch, len(holes)), mask=holes.flatten(0, 1))
            left = log_odds(run(many).logits, target.repeat(len(holes)))
            falls.append(whole - left.view(holes.shape[:2]))
        return torch.where(batch.mask, torch.cat(falls).transpose(0, 1), 0.0)
