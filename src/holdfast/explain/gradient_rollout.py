"""Attention rollout weighted by gradients."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.func import vjp

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Site, Trace
from holdfast.explain.base import Explainer
from holdfast.explain.maps import input_scores, maps, row
from holdfast.models.run import Run


@dataclass(frozen=True)
class GradientRollout(Explainer):
    """``read · Π_{i=b…1} (I + Ā⁽ⁱ⁾)``, ``Ā = mean_heads (∂F/∂A ⊙ A)⁺``, F the explained score (Chefer et al.
    2021).

    This is their ``R ← R + Ā R`` from ``R = I``, so the position that the output reads gets 1 for itself.
    Where states are pooled, the output reads them by the pooling weights, as in ``rollout``; for a model that
    only pools this is its one map.

    >>> GradientRollout().signed
    False
    """

    signed: ClassVar[bool] = False

    def suits(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> None:
        """Maps that no edit reaches have no gradient here."""
        if run.model.unedited:
            raise BadSetting(
                "gradient_rollout: expected a model whose attention can be edited, but got one whose own "
                "maps can only be read: choose rollout instead"
            )

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """One row, from the output down."""
        trace = run(batch)
        blocks, read = maps("gradient_rollout", trace)
        slopes = [slope for slope in by_attention(run, batch, target, trace) if slope.dim() > 2]
        for weights, slope in zip(reversed(blocks), reversed(slopes), strict=True):
            read = read + row(read, (slope * weights).clamp_min(0.0).mean(1))
        return input_scores(read, batch)


def by_attention(
    run: Run, batch: Batch, target: Int[Tensor, "B"], trace: Trace
) -> tuple[Float[Tensor, "B ..."], ...]:
    """``∂ F(target) / ∂ A`` for every attention map of a pass, in order; later ones depend on earlier."""

    def total(*added: Tensor) -> Tensor:
        edit = Edit(attention=_adding(added))
        return run.explained(run(batch, edit).logits, target).sum()

    value, back = vjp(total, *(torch.zeros_like(weights) for weights in trace.attention))  # type: ignore[misc]
    slopes: tuple[Tensor, ...] = back(torch.ones_like(value), retain_graph=False, create_graph=False)
    return slopes


def _adding(added: tuple[Tensor, ...]) -> Callable[[Tensor, Site], Tensor]:
    """An edit that adds one tensor to each attention map, in order."""
    left = iter(added)
    return lambda weights, site: weights + next(left)
