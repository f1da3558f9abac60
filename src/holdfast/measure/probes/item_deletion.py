"""Deletion of items: delete a history's items, most important first, and see how far predictions move."""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.compare.ranks import ranks
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.measure.probes.base import Probe
from holdfast.models.run import Run

Divergence = Literal["jeffreys", "jensen_shannon"]
Over = Literal["items", "candidates"]


@dataclass(frozen=True)
class ItemDeletion(Probe):
    """Items are deleted one after the other, the highest score first; what is watched is how far the
    distribution of the next item is from that of the whole history (Baumhauer §4.2.1).

    A deleted item is a hole: nothing moves up. ``of`` is ``jeffreys``, half the symmetrised KL (what the
    document prints as "JS"), or ``jensen_shannon``; both in nats. The distribution is the softmax ``over``
    all items, or over the candidates. ``steps`` is by default the number of items of a history; the curve of
    a shorter history stays flat once all its items are gone. The document deletes by size: pass |score|.

    >>> batch = Batch(torch.tensor([[0, 3, 5]]), torch.tensor([[False, True, True]]))
    >>> ItemDeletion().parts(batch, torch.tensor([[0.0, 0.25, 0.75]]))
    tensor([[  -inf, 0.2500, 0.7500]])
    """

    steps: int | None = None
    of: Divergence = "jeffreys"
    over: Over = "items"

    def __post_init__(self) -> None:
        for field, kind in (("of", Divergence), ("over", Over)):
            if getattr(self, field) not in get_args(kind):
                wanted = " or ".join(get_args(kind))
                raise BadSetting(
                    f"item_deletion: expected {field} to be {wanted}, but got {getattr(self, field)}"
                )
        if self.steps is not None and self.steps < 1:
            raise BadSetting(f"item_deletion: expected steps to be at least 1, but got {self.steps}")

    def parts(self, batch: Batch, scores: Float[Tensor, "*M B P"]) -> Float[Tensor, "*M B K"]:
        """The scores of the items that exist."""
        if scores.shape[-1] != batch.inputs.shape[-1]:
            raise BadSetting(
                f"expected {batch.inputs.shape[-1]} scores for each history, one for each item, "
                f"but got {scores.shape[-1]}"
            )
        return torch.where(batch.mask, scores, -torch.inf)

    def curve(
        self, run: Run, batch: Batch, parts: Float[Tensor, "B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "B S"]:
        """The divergence after 0, 1, …, ``steps`` deletions; the target does not matter."""
        full = batch if self.over == "candidates" else replace(batch, candidates=None)
        steps = parts.shape[-1] if self.steps is None else self.steps
        rank, whole = ranks(parts), run.rank(full).log_softmax(-1)
        between = jeffreys if self.of == "jeffreys" else jensen_shannon
        divergences = [
            between(whole, run.rank(replace(full, mask=full.mask & (rank >= step))).log_softmax(-1))
            for step in range(steps + 1)
        ]
        return torch.stack(divergences, -1)

    def drop(self, curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
        """How far the distribution moved, mean over the deletions."""
        return area(curve)


def jeffreys(p: Float[Tensor, "*I C"], q: Float[Tensor, "*I C"]) -> Float[Tensor, "*I"]:
    """Half the symmetrised Kullback–Leibler divergence, of log-probabilities, in nats:
    ``½ KL(p‖q) + ½ KL(q‖p) = ½ Σ (p − q) log(p / q)``.

    >>> jeffreys(torch.tensor([0.5, 0.5]).log(), torch.tensor([0.25, 0.75]).log())
    tensor(0.1373)
    """
    return ((p.exp() - q.exp()) * (p - q)).sum(-1) / 2


def jensen_shannon(p: Float[Tensor, "*I C"], q: Float[Tensor, "*I C"]) -> Float[Tensor, "*I"]:
    """Jensen–Shannon divergence of log-probabilities, in nats, at most log 2:
    ``½ KL(p‖m) + ½ KL(q‖m)``, m the mean of both.

    >>> jensen_shannon(torch.tensor([0.5, 0.5]).log(), torch.tensor([0.25, 0.75]).log())
    tensor(0.0338)
    """
    m = torch.logaddexp(p, q) - math.log(2)
    both = (p.exp() * (p - m)).sum(-1) + (q.exp() * (q - m)).sum(-1)
    return (both / 2).clamp(min=0.0)


def area(curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
    """How far the prediction moved, on average over the deletions: ``1/L Σ_{k=1…L} D_k``.

    >>> area(torch.tensor([0.0, 0.5, 1.0]))
    tensor(0.7500)
    """
    return curve[..., 1:].mean(-1)
