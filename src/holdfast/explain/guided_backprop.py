"""Guided backpropagation."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer, place
from holdfast.explain.coverage import covered
from holdfast.explain.rules.guided import Guided
from holdfast.explain.slope import ruled, slope
from holdfast.models.run import Run


@dataclass(frozen=True)
class GuidedBackprop(Explainer):
    """``(∂f/∂x)²`` through ReLUs that pass only positive gradients (Springenberg 2015; Chormai §3.2.3).

    >>> GuidedBackprop().signed
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
        """The squared slope of the guided network."""
        return place(slope(run, batch, target, run.embed(batch), ruled, Guided()).square(), batch)

    def suits(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> None:
        """Every rectifier must use the rules, or it would not be guided."""
        example = batch.map(lambda tensor: tensor[:1])
        covered(self, run, example, target[:1], run.embed(example), Guided(), strict=False)
