"""The floor: random scores."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.models.run import Run


@dataclass(frozen=True)
class Random(Explainer):
    """Uniform noise: what any explanation must beat, in stability as in faithfulness.

    >>> Random().draws
    1
    """

    signed: ClassVar[bool] = False
    draws: ClassVar[int] = 1

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B *S D"] | None = None,
    ) -> Float[Tensor, "B *S"]:
        """The noise itself."""
        if noise is None:
            raise BadSetting("random: expected noise of shape (B, T, 1), but got none: give it uniform draws")
        return noise[..., 0] * batch.mask.reshape(*batch.mask.shape, *[1] * len(batch.pixels))
