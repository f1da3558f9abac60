"""Permutation: how far the prediction moves with a column's values from other rows."""

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.models.run import Run
from holdfast.train.seats import Size

BACKGROUND = "background"


@dataclass(frozen=True)
class Permutation(Explainer):
    """``mean_b |F(x) − F(x with column t of row b)|`` over ``rows`` of the background, F what is explained.

    The values of one column are shuffled among rows, as permutation importance does (Breiman 2001; Fisher,
    Rudin and Dominici 2019), but what is told is how far this row's prediction moves, not how much worse all
    predictions become. It tells how much, not in which direction; leave_one_out is the mean with its sign. It
    needs a table of features. About ``chunk`` rows are computed at once.

    >>> Permutation(rows=10).rows
    10
    """

    signed: ClassVar[bool] = False
    batch: ClassVar[Size] = "small"

    rows: int = 25
    chunk: int = 8192

    def __post_init__(self) -> None:
        for field in ("rows", "chunk"):
            if getattr(self, field) < 1:
                raise BadSetting(
                    f"permutation: expected {field} to be at least 1, but got {getattr(self, field)}"
                )

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T ..."]:
        """How far what is explained moves, in the mean over the rows."""
        others = _background(run)[: self.rows]
        whole = run.explained(run(batch).logits, target)
        count, columns = others.shape
        example = torch.arange(len(batch), device=target.device).repeat_interleave(columns)
        column = torch.arange(columns, device=target.device).repeat(len(batch))
        places = torch.arange(batch.mask.shape[1], device=target.device)
        moved = []
        for some in torch.split(
            torch.arange(len(example), device=target.device), max(1, self.chunk // count)
        ):
            at, where = (index[some].repeat_interleave(count) for index in (example, column))
            many, values = batch.take(at), others[:, column[some]].mT.flatten()
            inputs = torch.where(places == where[:, None], values[:, None].to(many.inputs), many.inputs)
            logits = run(replace(many, inputs=inputs)).logits
            far = (run.explained(logits, target[at]) - whole[at]).abs()
            moved.append(far.view(-1, count).mean(1))
        scores = torch.cat(moved).view(len(batch), columns)
        return F.pad(scores, (0, batch.mask.shape[1] - columns)) * batch.mask

    def suits(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> None:
        """Only tables have columns whose values can come from other rows."""
        _background(run)


def _background(run: Run) -> Float[Tensor, "R T"]:
    if BACKGROUND not in run.parameters:
        raise BadSetting(
            "permutation: expected a table of features, but got words, items or pixels: choose leave_one_out"
        )
    return run.parameters[BACKGROUND]
