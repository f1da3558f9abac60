"""Self-attention over a history, each position seeing what came before it."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.interaction.attentive import Attentive, BlockSettings
from holdfast.models.interaction.recommender import NextItem


@dataclass(frozen=True)
class Sasrec(BlockSettings, NextItem):
    """Causal self-attention with learned positions (Kang & McAuley 2018; Baumhauer §3.2.2).

    >>> model = Sasrec(dim=8).build(Task(10, (), length=5))
    >>> sum(p.numel() for p in model.parameters())
    984
    """

    def model(self, task: Task) -> "Causal":
        """A freshly initialised model."""
        return Causal(task, self.dim, self.stack(), self.loss, self.negatives)


class Causal(Attentive):
    """Each position predicts what came next from itself and those before it."""

    causal: ClassVar[bool] = True

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Float[Tensor, "B T d"]:
        """Item vectors plus positions."""
        return self.placed(embedded)

    def whole(self, mask: Tensor) -> Tensor:
        """The history alone."""
        return mask
