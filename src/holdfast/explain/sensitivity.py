"""Sensitivity analysis."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer, place
from holdfast.explain.slope import evidence, slope
from holdfast.models.run import Run


@dataclass(frozen=True)
class Sensitivity(Explainer):
    """``(∂f/∂x)²`` of the evidence f for the class, summed over a word's vector (Chormai §3.2.2).

    >>> Sensitivity().signed
    False
    """

    signed: ClassVar[bool] = False

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T ..."]:
        """The squared slope."""
        return place(slope(run, batch, target, run.embed(batch), evidence).square(), batch)
