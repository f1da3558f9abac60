"""Attention rollout."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.explain.maps import check_residual, input_scores, maps, mixed, row
from holdfast.models.run import Run


@dataclass(frozen=True)
class Rollout(Explainer):
    """``read · Π_{i=b…1} ((1 − r)·mean_heads A⁽ⁱ⁾ + r·I)``, r the share of the residual connection
    (Abnar & Zuidema 2020; Baumhauer).

    For a model that only pools this is its one map.

    >>> Rollout(residual=0.3).residual
    0.3
    """

    signed: ClassVar[bool] = False

    residual: float = 0.5

    def __post_init__(self) -> None:
        check_residual("rollout", self.residual)

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """One row, from the output down, rather than a product of whole maps."""
        blocks, read = maps("rollout", run(batch))
        for weights in reversed(blocks):
            read = row(read, mixed(weights, self.residual))
        return input_scores(read, batch)
