"""Neural matrix factorisation: the product of vectors and a tower, side by side."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.interaction.factored import Factored, FactoredArchitecture
from holdfast.models.interaction.gmf import Factors, Gmf
from holdfast.models.interaction.ncf import Ncf, Tower


@dataclass(frozen=True)
class Neumf(FactoredArchitecture):
    """``σ(hᵀ [p_u ⊙ q_i, MLP([p′_u, q′_i])] + b)``, with vectors of their own for both (He et al. 2017).

    ``dim`` numbers in the product, ``width`` in each vector of the tower.

    >>> model = Neumf(dim=4, width=2, layers=(3,)).build(Task(10, (), length=5, users=3))
    >>> model.last.in_features
    7
    """

    dim: int = 8
    width: int = 32
    layers: tuple[int, ...] = (32, 16, 8)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("width")
        if not self.layers or min(self.layers) < 1:
            self._refuse("layers", "widths of at least 1, such as 32+16+8")

    def build(self, task: Task) -> "Fused":
        """A freshly initialised model."""
        self.check(task)
        of_both = {"negatives": self.negatives, "spread": self.spread}
        factors = Gmf(dim=self.dim, **of_both).build(task)  # type: ignore[arg-type]
        tower = Ncf(dim=self.width, layers=self.layers, **of_both).build(task)  # type: ignore[arg-type]
        return Fused(task, factors, tower, self.negatives)


class Fused(Factored):
    """Both, joined by one output."""

    def __init__(self, task: Task, factors: Factors, tower: Tower, negatives: int) -> None:
        super().__init__(task, negatives)
        width = factors.last.in_features + tower.last.in_features
        self.factors, self.tower = factors, tower
        del factors.last, tower.last  # one output for both
        self.last = nn.Linear(width, 1)

    @property
    def item_vectors(self) -> tuple[str, ...]:
        """Those of the product and those of the tower."""
        return ("factors.embedding_item.weight", "tower.embedding_item.weight")

    @property
    def user_vectors(self) -> tuple[str, ...]:
        """The same of users."""
        return ("factors.embedding_user.weight", "tower.embedding_user.weight")

    def pairs(
        self, embedded: Tensor, batch: Batch, items: Int[Tensor, "B C"], edit: Edit
    ) -> tuple[Float[Tensor, "B C 1"], None]:
        """Score every candidate."""
        both = torch.cat([self.factors.product(batch, items), self.tower.top(batch, items)], -1)
        return self.last(both), None
