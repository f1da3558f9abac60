"""Training with random perturbation of the attention scores."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from holdfast.core.draws import normal
from holdfast.core.records import Batch, Edit, Site
from holdfast.models.base import Architecture
from holdfast.models.doors import shifted
from holdfast.models.run import Run
from holdfast.repair.adversary import FARTHEST, check_attends, check_strength, scaled
from holdfast.train.repair import Repair, Teacher, Tensors


@dataclass(frozen=True)
class AttentionRp(Repair):
    """Train against attention scores moved at random: ``L(s) + L(s + r)``, r of length ε in a random
    direction (Kitada & Iyatomi 2021).

    s are the scores before the softmax; each row that a softmax makes has its own r, another one in each
    step. ``strength`` is ε.

    >>> import torch
    >>> AttentionRp().draws(Batch(torch.ones(2, 3), torch.ones(2, 3, dtype=torch.bool)))
    {'direction': (2, 2)}
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        check_strength(self, self.strength, FARTHEST)

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """None; a model without attention is refused."""
        check_attends(self, model)
        return super().teachers(model)

    def draws(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Two numbers for each example, from which those of each score follow."""
        return {"direction": (len(batch), 2)}

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """Both losses."""
        drawn = noise["repair/direction"]

        def door(weights: Tensor, site: Site) -> Tensor:
            each = normal(drawn, weights.numel() // len(drawn), site.layer).view(weights.shape)
            return shifted(scaled(each.to(weights) * site.allowed, self.strength), weights, site)

        moved = run.losses(batch, Edit(attention=door, noise=noise))
        return run.losses(batch, Edit(noise=noise)) + moved
