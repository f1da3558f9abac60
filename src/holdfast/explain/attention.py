"""Attention as an explanation."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.models.base import Run


@dataclass(frozen=True)
class Attention(Explainer):
    """The weights ``a_t`` with which the model pools its states (Jain ch. 4); the target plays no part.

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
        """The last attention map."""
        maps = run(batch).attention
        if not maps:
            raise BadSetting(
                "attention: expected a model with attention, but got one without: choose another"
            )
        return maps[-1] * batch.mask
