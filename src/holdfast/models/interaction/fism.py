"""Factored item similarities: every item of the history counts the same."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.data.base import Task
from holdfast.models.interaction.pair import PairArchitecture
from holdfast.models.interaction.pooled import Pooled


@dataclass(frozen=True)
class Fism(PairArchitecture):
    """``z = b_i + n^−α Σ_{j≠i} p_j·q_i``, n the number of items in the sum (Kabbur et al. 2013).

    What the items of a history bring is added up, so leaving one out says all, but for n.

    >>> model = Fism(dim=4).build(Task(10, (), length=5))
    >>> sum(p.numel() for p in model.parameters())
    90
    """

    attends: ClassVar[bool] = False

    alpha: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 <= self.alpha <= 1.0:
            self._refuse("alpha", "from 0 to 1")

    def build(self, task: Task) -> "Similarities":
        """A freshly initialised model."""
        self.check(task)
        tables = self.vectors(task.vocabulary, self.dim), self.vectors(task.vocabulary, self.dim)
        return Similarities(task, tables, self.negatives, self.alpha)


class Similarities(Pooled):
    """Equal weights, and the sum of what is pooled."""

    def __init__(
        self, task: Task, tables: tuple[nn.Embedding, nn.Embedding], negatives: int, alpha: float
    ) -> None:
        super().__init__(task, tables, "sigmoid", negatives)
        self.alpha = alpha

    def weights(
        self, p: Float[Tensor, "B T d"], q: Float[Tensor, "B C d"], allowed: Bool[Tensor, "B D T"]
    ) -> Float[Tensor, "B D T"]:
        """The same for all."""
        count = allowed.sum(-1, keepdim=True).clamp(min=1).to(p.dtype)
        return allowed / count**self.alpha

    def score(self, pooled: Float[Tensor, "B C d"]) -> Float[Tensor, "B C 1"]:
        """Their sum."""
        return pooled.sum(-1, keepdim=True)
