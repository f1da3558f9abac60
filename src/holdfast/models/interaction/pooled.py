"""Models of pairs that know a user by his items: ``p_j ⊙ q_i``, pooled over the history."""

from abc import abstractmethod
from typing import ClassVar

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.errors import BadData
from holdfast.core.records import Batch, Edit, Site
from holdfast.data.base import Task
from holdfast.models.interaction.pair import ASK, Head, PairModel
from holdfast.models.vectors import look_up

FEW = 4096  # maps at once behind the pooling, so that what is wide there stays in a core's own memory


class Pooled(PairModel):
    """``Σ_j a_j (p_j ⊙ q_i)`` over the items j ≠ i of the history, then a score.

    For all candidates at once that is ``(A p) ⊙ q``: the history is read once. ``p`` is ``embedding``, ``q``
    ``embedding_target``, ``b_i`` ``embedding_bias``, which is added to the output of the last class.
    """

    attends: ClassVar[bool] = False

    def __init__(
        self, task: Task, tables: tuple[nn.Embedding, nn.Embedding], head: Head, negatives: int
    ) -> None:
        super().__init__(task, head, negatives)
        self.embedding, self.embedding_target = tables
        self.embedding_bias = nn.Embedding(task.vocabulary, 1)
        nn.init.zeros_(self.embedding_bias.weight)

    @property
    def item_vectors(self) -> tuple[str, ...]:
        """p and q: what an item is in a history, and as a candidate."""
        return ("embedding.weight", "embedding_target.weight")

    def embed(self, batch: Batch) -> Float[Tensor, "B T d"]:
        """The vectors p of the history."""
        return look_up(self.embedding, batch.inputs, batch.mask)

    @abstractmethod
    def weights(
        self, p: Float[Tensor, "B T d"], q: Float[Tensor, "B C d"], allowed: Bool[Tensor, "B D T"]
    ) -> Float[Tensor, "B D T"]:
        """How much each item of a history counts; one candidate may have several masks."""

    @abstractmethod
    def score(self, pooled: Float[Tensor, "B C d"]) -> Float[Tensor, "B C o"]:
        """The outputs of what was pooled, without the candidate's own bias."""

    def pairs(
        self, embedded: Tensor, batch: Batch, items: Int[Tensor, "B C"], edit: Edit
    ) -> tuple[Float[Tensor, "B C o"], Float[Tensor, "N T"] | None]:
        """Pool for every candidate."""
        q = F.embedding(items, self.embedding_target.weight)
        allowed = batch.mask[:, None] & (batch.inputs[:, None] != items[..., None])
        weights = self.weights(embedded, q, allowed)
        if edit.attention is not None and self.attends:
            site = Site(layer=0, kind="pool", allowed=allowed.flatten(0, 1))
            weights = edit.attention(weights.flatten(0, 1), site).view(weights.shape)
        outputs = self._biased(self.score((weights @ embedded) * q), items)
        return outputs, weights.flatten(0, 1) if self.attends else None

    def attended(self, states: Tensor, batch: Batch, maps: Float[Tensor, "S B T"]) -> Float[Tensor, "S B C"]:
        """One product for all maps."""
        if batch.query is None:
            raise BadData(ASK)
        q = F.embedding(batch.query, self.embedding_target.weight)
        pooled = maps.transpose(0, 1) @ (states * q)
        pieces = torch.split(pooled, len(pooled) if pooled.is_cuda else max(1, FEW // len(maps)))
        outputs = self._biased(torch.cat([self.score(piece) for piece in pieces]), batch.query)
        return self.tempered(self.logits(outputs)).transpose(0, 1)

    def subsets(self, batch: Batch, kept: Bool[Tensor, "S T"], stays: bool = False) -> Float[Tensor, "S C"]:
        """The logits of one pair with only some of the items; only the weights know which exist, so one that
        ``stays`` is none."""
        if batch.query is None:
            raise BadData(ASK)
        p, q = self.embedded(batch), F.embedding(batch.query, self.embedding_target.weight)
        weights = self.weights(p, q, (kept & batch.mask & (batch.inputs != batch.query))[None])
        outputs = self._biased(self.score((weights @ p) * q), batch.query.expand(1, len(kept)))
        return self.tempered(self.logits(outputs[0]))

    def _biased(self, outputs: Float[Tensor, "B C o"], items: Int[Tensor, "B C"]) -> Float[Tensor, "B C o"]:
        bias = F.embedding(items, self.embedding_bias.weight)
        return outputs + (bias if self.outputs == 1 else F.pad(bias, (self.outputs - 1, 0)))
