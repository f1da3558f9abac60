"""Models of pairs that know a user by a vector of his own, and read no history."""

from dataclasses import dataclass
from typing import ClassVar

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Batch
from holdfast.core.settings import name_of
from holdfast.data.base import Task
from holdfast.models.interaction.pair import PairArchitecture, PairModel


class Factored(PairModel):
    """A vector for each user; the history is not looked at, so the embedded input is nothing."""

    reads_history: ClassVar[bool] = False

    def __init__(self, task: Task, negatives: int) -> None:
        super().__init__(task, "sigmoid", negatives)

    @property
    def item_vectors(self) -> tuple[str, ...]:
        """q."""
        return ("embedding_item.weight",)

    @property
    def user_vectors(self) -> tuple[str, ...]:
        """p."""
        return ("embedding_user.weight",)

    def embed(self, batch: Batch) -> Float[Tensor, "B T 0"]:
        """Nothing at each position."""
        return next(self.parameters()).new_zeros(*batch.mask.shape, 0)


def user_vectors(table: Float[Tensor, "U d"], batch: Batch) -> Float[Tensor, "B 1 d"]:
    """The vectors of a batch's users, to be laid beside those of candidates."""
    if batch.user is None:
        raise BadData("expected the numbers of the users (user) in a batch, but got none")
    return F.embedding(batch.user, table)[:, None]


def item_vectors(table: Float[Tensor, "V d"], items: Int[Tensor, "B C"]) -> Float[Tensor, "B C d"]:
    """The vectors of candidates."""
    return F.embedding(items, table)


@dataclass(frozen=True)
class FactoredArchitecture(PairArchitecture):
    """Models that know a user by a vector of his own."""

    attends: ClassVar[bool] = False
    explains: ClassVar[bool] = False

    def check(self, task: Task) -> None:
        """There must be users to have vectors."""
        super().check(task)
        if task.users < 1:
            raise BadSetting(f"{name_of(type(self))}: expected data of users, but got none")
