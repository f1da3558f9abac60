"""Attention as an explanation."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.explain.maps import input_scores, maps, row
from holdfast.models.run import Run


@dataclass(frozen=True)
class Attention(Explainer):
    """The weights ``a_t`` with which the model pools its states (Jain ch. 4); the class does not matter.

    For a recommender, which does not pool, this is ``attention_last``.

    >>> Attention().signed
    False
    """

    signed: ClassVar[bool] = False

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """The weights of the pooling, or the row that the output reads of the last map."""
        trace = run(batch)
        blocks, read = maps("attention", trace)
        pooled = trace.attention[-1].dim() == 2
        return input_scores(trace.attention[-1] if pooled else row(read, blocks[-1].mean(1)), batch)
