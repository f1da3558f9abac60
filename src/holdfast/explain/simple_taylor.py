"""Simple Taylor decomposition."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer, place
from holdfast.explain.slope import evidence, slope
from holdfast.models.run import Run


@dataclass(frozen=True)
class SimpleTaylor(Explainer):
    """``x · ∂f/∂x`` of the evidence f for the class, summed over a word's vector (Chormai §3.2.5).

    >>> SimpleTaylor().signed
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
        """Input times slope."""
        embedded = run.embed(batch)
        return place(embedded * slope(run, batch, target, embedded, evidence), batch)
