"""The gradient's length as an explanation."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer, exists, has_vectors
from holdfast.explain.slope import slope
from holdfast.models.run import Run


@dataclass(frozen=True)
class Gradient(Explainer):
    """``‖∂ log-odds / ∂ x_t‖₂`` of an embedded word, an item or a pixel, also through attention (Jain §4.5).

    >>> Gradient().signed
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
        """The norm over the embedding's axis."""
        slopes = slope(run, batch, target, run.embed(batch))
        vectors = has_vectors(batch, slopes)
        norms: Tensor = torch.linalg.vector_norm(slopes, dim=-1) if vectors else slopes.abs()
        return norms * exists(batch, norms)
