"""Integrated gradients."""

from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar, Self

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.explain.base import Explainer, place
from holdfast.explain.slope import odds, pieces, repeat, slope
from holdfast.models.run import Run
from holdfast.train.seats import Size

MORE = (128, 512)  # steps for examples that need more


@cache
def legendre(steps: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Nodes and weights of Gauss–Legendre quadrature on [0, 1].

    >>> legendre(1)
    ((0.5,), (1.0,))
    """
    nodes, weights = np.polynomial.legendre.leggauss(steps)
    return tuple(((nodes + 1) / 2).tolist()), tuple((weights / 2).tolist())


@dataclass(frozen=True)
class IntegratedGradients(Explainer):
    """``x_t · ∫₀¹ ∂F/∂x_t (αx) dα`` from the zero vector, F the log-odds (Sundararajan et al. 2017).

    The scores add up to F(x) − F(0), up to the error of Gauss–Legendre quadrature with ``steps`` nodes. A
    family takes 128 nodes, then 512, for the examples and members whose scores miss more than 5 % of it (the
    bound of Sundararajan et al., §5). About ``chunk`` rows are computed at once.

    >>> IntegratedGradients(steps=8).steps
    8
    """

    signed: ClassVar[bool] = True
    conserves: ClassVar[bool] = True
    within: ClassVar[float] = 0.05
    batch: ClassVar[Size] = "small"

    steps: int = 32
    chunk: int = 256

    def __post_init__(self) -> None:
        for field in ("steps", "chunk"):
            if getattr(self, field) < 1:
                raise BadSetting(
                    f"integrated_gradients: expected {field} to be at least 1, but got {getattr(self, field)}"
                )

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T ..."]:
        """The mean gradient along the path, times the input."""
        embedded = run.embed(batch)
        nodes, weights = embedded.new_tensor(legendre(self.steps)).unbind(0)
        mean = torch.zeros_like(embedded)
        for piece in pieces(self.steps, len(batch), self.chunk):
            count = piece.stop - piece.start
            path = (nodes[piece].view(-1, *[1] * embedded.dim()) * embedded).flatten(0, 1)
            slopes = slope(run, repeat(batch, count), target.repeat(count), path)
            mean = mean + torch.einsum("k,k...->...", weights[piece], slopes.view(count, *embedded.shape))
        return place(embedded * mean, batch)

    def total(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """``F(x) − F(0)``."""
        embedded = run.embed(batch)
        full, zero = (
            odds(run, run(batch, Edit(embedded=at)).logits, target)
            for at in (embedded, torch.zeros_like(embedded))
        )
        return full - zero

    def finer(self) -> Self | None:
        """With the next larger number of steps."""
        more = [steps for steps in MORE if steps > self.steps]
        return replace(self, steps=more[0]) if more else None
