"""Attention rollout weighted by gradients."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.func import vjp

from holdfast.core.records import Batch, Edit, Site, Trace
from holdfast.explain.base import Explainer
from holdfast.explain.maps import maps, own, row
from holdfast.models.base import Run


@dataclass(frozen=True)
class GradientRollout(Explainer):
    """``read · Π_{i=b…1} (I + Ā⁽ⁱ⁾)``, ``Ā = mean_heads (∂F/∂A ⊙ A)⁺``, F what is explained (Chefer et al.
    2021).

    This is their ``R ← R + Ā R`` from ``R = I``. Where states are pooled with weights a, the pooling is a
    last map without a residual connection: read is ``(∂F/∂a ⊙ a)⁺`` then.

    >>> GradientRollout().signed
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
        """From the output down, one row."""
        trace = run(batch)
        maps("gradient_rollout", trace)
        slopes = by_attention(run, batch, target, trace)
        weighted = tuple((slope * a).clamp_min(0.0) for slope, a in zip(slopes, trace.attention, strict=True))
        read = weighted[-1] if weighted[-1].dim() == 2 else maps("gradient_rollout", trace).read
        for weights in reversed([one for one in weighted if one.dim() > 2]):
            read = read + row(read, weights.mean(1))
        return own(read, batch)


def by_attention(
    run: Run, batch: Batch, target: Int[Tensor, "B"], trace: Trace
) -> tuple[Float[Tensor, "B ..."], ...]:
    """``∂ F(target) / ∂ A`` for every attention map of a pass, in order; later maps feel earlier ones."""

    def total(*added: Tensor) -> Tensor:
        edit = Edit(attention=_adding(added))
        return run.explained(run(batch, edit).logits, target).sum()

    value, back = vjp(total, *(torch.zeros_like(weights) for weights in trace.attention))  # type: ignore[misc]
    slopes: tuple[Tensor, ...] = back(torch.ones_like(value), retain_graph=False, create_graph=False)
    return slopes


def _adding(added: tuple[Tensor, ...]) -> Callable[[Tensor, Site], Tensor]:
    """A door that adds these to the maps in the order in which they come."""
    left = iter(added)
    return lambda weights, site: weights + next(left)
