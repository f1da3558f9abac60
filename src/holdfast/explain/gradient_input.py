"""Gradient times input."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer, place
from holdfast.explain.slope import slope
from holdfast.models.run import Run


@dataclass(frozen=True)
class GradientInput(Explainer):
    """``x_t · ∂ log-odds / ∂ x_t``: the first-order effect of removing the word.

    ``simple_taylor`` does the same for the evidence for the class alone.

    >>> GradientInput().signed
    True
    """

    signed: ClassVar[bool] = True

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T ..."]:
        """The product, summed over the embedding's axis."""
        embedded = run.embed(batch)
        return place(embedded * slope(run, batch, target, embedded), batch)
