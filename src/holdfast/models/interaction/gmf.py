"""Generalised matrix factorisation."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.interaction.factored import Factored, FactoredArchitecture, item_vectors, user_vectors


@dataclass(frozen=True)
class Gmf(FactoredArchitecture):
    """``σ(hᵀ (p_u ⊙ q_i) + b)``, a vector for each user and each item (He et al. 2017).

    >>> model = Gmf(dim=4).build(Task(10, (), length=5, users=3))
    >>> sum(p.numel() for p in model.parameters())
    57
    """

    dim: int = 8

    def build(self, task: Task) -> "Factors":
        """A freshly initialised model."""
        self.check(task)
        tables = self.vectors(task.users, self.dim), self.vectors(task.vocabulary, self.dim)
        return Factors(task, tables, self.negatives)


class Factors(Factored):
    """The product of two vectors, weighted and summed."""

    def __init__(self, task: Task, tables: tuple[nn.Embedding, nn.Embedding], negatives: int) -> None:
        super().__init__(task, negatives)
        self.embedding_user, self.embedding_item = tables
        self.last = nn.Linear(self.embedding_item.embedding_dim, 1)

    def product(self, batch: Batch, items: Int[Tensor, "B C"]) -> Float[Tensor, "B C d"]:
        """``p_u ⊙ q_i``."""
        users, each = self.embedding_user.weight, self.embedding_item.weight
        return user_vectors(users, batch) * item_vectors(each, items)

    def pairs(
        self, embedded: Tensor, batch: Batch, items: Int[Tensor, "B C"], edit: Edit
    ) -> tuple[Float[Tensor, "B C 1"], None]:
        """Score every candidate."""
        return self.last(self.product(batch, items)), None
