"""Leave one out."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.models.run import Run
from holdfast.train.seats import Size


@dataclass(frozen=True)
class LeaveOneOut(Explainer):
    """``F(x) − F(x without position t)``, F the log-odds, or an item's score (Li et al. 2016; Baumhauer).

    The position becomes a hole: nothing moves up to fill it. Where a position is a strip of pixels, each
    pixel gets an equal part of the drop. At most ``chunk`` rows are computed at once.

    >>> LeaveOneOut().signed
    True
    """

    signed: ClassVar[bool] = True
    batch: ClassVar[Size] = "small"

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
    ) -> Float[Tensor, "B T ..."]:
        """How far the log-odds drop without the position."""
        whole = run.explained(run(batch).logits, target)
        # every position, padding too: shapes that depend on neighbours would change an example's last bits
        row, hole = torch.ones_like(batch.mask).nonzero(as_tuple=True)
        position = torch.arange(batch.mask.shape[-1], device=row.device)
        falls = []
        for at, without in zip(torch.split(row, self.chunk), torch.split(hole, self.chunk), strict=True):
            many = batch.take(at)
            many = replace(many, mask=many.mask & (position != without[:, None]))
            falls.append(whole[at] - run.explained(run(many).logits, target[at]))
        scores = torch.cat(falls).view(batch.mask.shape) * batch.mask
        pixels = batch.pixels
        each = (scores / math.prod(pixels)).reshape(scores.shape + (1,) * len(pixels))
        return each.expand(batch.inputs.shape)
