"""Neural collaborative filtering: a tower on the vectors of a user and an item."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.interaction.factored import Factored, FactoredArchitecture, item_vectors, user_vectors
from holdfast.models.interaction.pair import tower


@dataclass(frozen=True)
class Ncf(FactoredArchitecture):
    """``σ(hᵀ MLP([p_u, q_i]) + b)``: 64 numbers, 32 of the user and 32 of the item, then layers of 32, 16 and
    8 (He et al. 2017).

    >>> model = Ncf(dim=2, layers=(3,)).build(Task(10, (), length=5, users=3))
    >>> sum(p.numel() for p in model.parameters())
    45
    """

    dim: int = 32
    layers: tuple[int, ...] = (32, 16, 8)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.layers or min(self.layers) < 1:
            self._refuse("layers", "widths of at least 1, such as 32+16+8")

    def build(self, task: Task) -> "Tower":
        """A freshly initialised model."""
        self.check(task)
        tables = self.vectors(task.users, self.dim), self.vectors(task.vocabulary, self.dim)
        return Tower(task, tables, self.layers, self.negatives)


class Tower(Factored):
    """Layers on two vectors, side by side."""

    def __init__(
        self,
        task: Task,
        tables: tuple[nn.Embedding, nn.Embedding],
        layers: tuple[int, ...],
        negatives: int,
    ) -> None:
        super().__init__(task, negatives)
        self.embedding_user, self.embedding_item = tables
        dim = self.embedding_item.embedding_dim
        self.user = nn.Linear(dim, layers[0])
        self.item = nn.Linear(dim, layers[0], bias=False)
        self.tower = tower(layers)
        self.last = nn.Linear(layers[-1], 1)

    def top(self, batch: Batch, items: Int[Tensor, "B C"]) -> Float[Tensor, "B C n"]:
        """The last layer; the first is a part of the user's vector, once, and a part of each item's."""
        users, each = self.embedding_user.weight, self.embedding_item.weight
        joined = self.user(user_vectors(users, batch)) + self.item(item_vectors(each, items))
        return self.tower(joined.relu())  # type: ignore[no-any-return]

    def pairs(
        self, embedded: Tensor, batch: Batch, items: Int[Tensor, "B C"], edit: Edit
    ) -> tuple[Float[Tensor, "B C 1"], None]:
        """Score every candidate."""
        return self.last(self.top(batch, items)), None
