"""Deep item-based collaborative filtering with attention over the history."""

from dataclasses import dataclass
from typing import get_args

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.models.interaction.attention import attend
from holdfast.models.interaction.pair import Head, PairArchitecture, tower
from holdfast.models.interaction.pooled import Pooled


@dataclass(frozen=True)
class Deepicf(PairArchitecture):
    """``a_j = exp(f_j) / [Σ exp(f)]^β``, ``f_j = hᵀ ReLU(W (p_j ⊙ q_i) + b)``, and layers on the pooled
    ``Σ a_j (p_j ⊙ q_i)`` (DeepICF+a, Xue et al. 2019; Jain §2.1.2).

    ``hidden`` numbers in the attention; ``beta`` below 1 weakens the norm of long histories, and the weights
    are no distribution then; ``layers`` are the widths above the pooling; ``head`` is ``sigmoid`` (as it was
    published), ``two`` classes (Jain) or ``three``, which needs ratings. The authors' code also has batch
    norm, which is left out: members of a family have parameters alone.

    >>> model = Deepicf(dim=4).build(Task(10, (), length=5))
    >>> model.attention_names
    ('attend.weight', 'attend.bias', 'energy')
    """

    hidden: int = 16
    beta: float = 0.8
    layers: tuple[int, ...] = (64, 32, 16)
    head: Head = "sigmoid"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("hidden")
        if not 0.0 <= self.beta <= 1.0:
            self._refuse("beta", "from 0 to 1")
        if not self.layers or min(self.layers) < 1:
            self._refuse("layers", "widths of at least 1, such as 64+32+16")
        if self.head not in get_args(Head):
            self._refuse("head", "sigmoid, two or three")

    def check(self, task: Task) -> None:
        """Three classes need ratings."""
        super().check(task)
        if self.head == "three" and not task.rated:
            raise BadSetting(
                "deepicf: expected every interaction to be rated from 1 to 5 for head=three, but some or all "
                "are not: name the column of stars with --rating, leave out rows without, or choose head=two"
            )

    def build(self, task: Task) -> "Attending":
        """A freshly initialised model."""
        self.check(task)
        tables = self.vectors(task.vocabulary, self.dim), self.vectors(task.vocabulary, self.dim)
        return Attending(task, tables, self)


class Attending(Pooled):
    """Attention by a hidden layer on each pair's product, and a tower above the pooling."""

    attends = True
    pools = True

    def __init__(self, task: Task, tables: tuple[nn.Embedding, nn.Embedding], settings: Deepicf) -> None:
        super().__init__(task, tables, settings.head, settings.negatives)
        self.beta, self.distributes = settings.beta, settings.beta == 1.0
        self.attend = nn.Linear(settings.dim, settings.hidden)
        self.energy = nn.Parameter(torch.randn(settings.hidden) / settings.hidden**0.5)
        self.tower = tower((settings.dim, *settings.layers))
        self.last = nn.Linear(settings.layers[-1], self.outputs)

    @property
    def attention_names(self) -> tuple[str, ...]:
        """W, b and h."""
        return ("attend.weight", "attend.bias", "energy")

    @property
    def numbers(self) -> int:
        """The hidden layer of the attention."""
        return len(self.energy)

    def weights(
        self, p: Float[Tensor, "B T d"], q: Float[Tensor, "B C d"], allowed: Bool[Tensor, "B D T"]
    ) -> Float[Tensor, "B D T"]:
        """The attention of each candidate, or of one candidate with several masks."""
        return attend(p, q, allowed, (self.attend.weight, self.attend.bias, self.energy), self.beta)

    def score(self, pooled: Float[Tensor, "B C d"]) -> Float[Tensor, "B C o"]:
        """The tower's outputs."""
        return torch.unflatten(self.last(self.tower(pooled.flatten(0, 1))), 0, pooled.shape[:2])
