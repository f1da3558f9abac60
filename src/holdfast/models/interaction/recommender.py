"""The recommender: a history of items in, a score for each item out; item vectors are tied."""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.data.base import Kind, Task
from holdfast.models.base import Architecture
from holdfast.models.blocks import Maps
from holdfast.models.interaction.item_model import ItemModel
from holdfast.models.interaction.losses import LOWEST, Loss, all_scores, bce, sampled, scores, softmax
from holdfast.models.vectors import look_up

SPREAD = 0.02  # of position vectors at the start, and of items' unless it is said otherwise


def no_classes(weights: Tensor | None) -> None:
    """Refuse weights of classes: the answers of a model that predicts the next item are items."""
    if weights is not None:
        raise BadSetting(
            "expected a model whose targets are classes for a loss with class weights, but this one predicts "
            "the next item: choose a classifier, or a model of pairs such as deepicf"
        )


def cut_normal(*shape: int) -> nn.Parameter:
    """Normal numbers with σ = 0.02, cut at 2σ, as BERT starts (Devlin et al. 2019).

    >>> bool(cut_normal(50, 4).abs().max() <= 0.04)
    True
    """
    return nn.Parameter(nn.init.trunc_normal_(torch.empty(shape), std=SPREAD, a=-2 * SPREAD, b=2 * SPREAD))


class Recommender(ItemModel):
    """``embed`` looks up items, ``encode`` is all that does not depend on which of them exist, so that
    ``decide`` of the same states is right for any mask within the one that was embedded.

    The score of item i is ``h·e_i``, where h is the state that :meth:`last` reads; item 0 is none.
    """

    def __init__(self, task: Task, dim: int, loss: Loss, negatives: int) -> None:
        super().__init__()
        assert task.length is not None
        self.length, self.loss = task.length, loss
        self.negatives = 0 if loss == "softmax" else negatives
        self.embedding = nn.Embedding(task.vocabulary, dim, _weight=cut_normal(task.vocabulary, dim).data)

    def embed(self, batch: Batch) -> Float[Tensor, "B T d"]:
        """The item vectors."""
        self._fits(batch)
        return look_up(self.embedding, batch.inputs, batch.mask)

    @abstractmethod
    def hidden(self, states: Tensor, batch: Batch, edit: Edit) -> tuple[Float[Tensor, "B P d"], Maps]:
        """The state after each position, and every attention map."""

    @abstractmethod
    def last(self, states: Tensor, batch: Batch, edit: Edit = PLAIN) -> Float[Tensor, "B d"]:
        """The state from which the next item is predicted, as cheaply as can be: without the trace."""

    def read(
        self, states: Tensor, batch: Batch, edit: Edit
    ) -> tuple[Float[Tensor, "B d"], Maps, Float[Tensor, "B P"] | None]:
        """The state that is read, every attention map, and which position of the last map is read."""
        return self.last(states, batch, edit), (), None

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """Scores of the candidates, or of all items where there are none."""
        last, maps, read = self.read(states, batch, edit)
        embedded = states if edit.embedded is None else edit.embedded
        return Trace(self.scores(last, batch.candidates), maps, embedded, states, read)

    def scores(
        self, last: Float[Tensor, "B d"], candidates: Int[Tensor, "B C"] | None = None
    ) -> Float[Tensor, "B C"]:
        """``h·e_i`` of the candidates, or of all items."""
        table = self.embedding.weight
        return all_scores(last, table) if candidates is None else scores(last, table, candidates)

    def subsets(self, batch: Batch, kept: Bool[Tensor, "S T"], stays: bool = False) -> Float[Tensor, "S C"]:
        """Scores with only some of the items; the history is encoded once."""
        if stays:
            return super().subsets(batch, kept, stays)
        many = batch.map(lambda tensor: tensor.expand(len(kept), *tensor.shape[1:]))
        states = self.encode(self.embedded(batch), batch, PLAIN)
        last = self.last(states.expand(len(kept), *states.shape[1:]), replace(many, mask=many.mask & kept))
        return self.shared_scores(last, batch)

    def shared_scores(self, last: Float[Tensor, "S d"], one: Batch) -> Float[Tensor, "S C"]:
        """Scores of one example's candidates after many states: their vectors are looked up once."""
        if one.candidates is None:
            return self.tempered(self.scores(last))
        only = one.candidates[0]
        products = last @ F.embedding(only, self.embedding.weight).mT
        return self.tempered(products.masked_fill(only == 0, LOWEST))

    def explained(self, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """The item's score itself."""
        return logits.gather(1, target[:, None])[:, 0]

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """The loss at every position that exists, summed and divided by the number of columns."""
        no_classes(weights)
        following, counts = self._following(batch)
        embedded = self.embedded(batch, edit)
        hidden = self.tempered(self.hidden(self.encode(embedded, batch, edit), batch, edit)[0])
        table = self.embedding.weight
        if self.loss == "softmax":
            each = softmax(hidden, table, following)
        else:
            if batch.negatives is None:
                raise BadData(
                    f"expected negatives in a batch to train on with the loss {self.loss}, but got none"
                )
            each = (bce if self.loss == "bce" else sampled)(hidden, table, following, batch.negatives)
        # `where`, not a product: what stands at a position that does not exist may be anything
        return torch.where(counts, each, 0.0).sum(1) / counts.shape[1]

    def _following(self, batch: Batch) -> tuple[Int[Tensor, "B T"], Tensor]:
        """What came next after each position, and where that counts."""
        if batch.following is None:
            raise BadData("expected a batch to train on, with what came next (following), but got none")
        return batch.following, batch.mask & (batch.following > 0)

    def _fits(self, batch: Batch) -> None:
        if batch.mask.shape[-1] > self.length:
            raise BadData(
                f"expected histories of at most {self.length} items, but got {batch.mask.shape[-1]}: "
                "cut them to the latest"
            )


@dataclass(frozen=True)
class RecommendArchitecture(Architecture):
    """What all recommenders have in common: ``dim`` numbers for an item, dropout, and ``spread``, the σ that
    item vectors start with: where items are rare they hardly move from there, so it matters."""

    reads: ClassVar[tuple[Kind, ...]] = ("interaction",)

    dim: int = 64
    dropout: float = 0.2
    spread: float = SPREAD

    @abstractmethod
    def model(self, task: Task) -> Recommender:
        """A freshly initialised model, item vectors as :func:`cut_normal` draws them."""

    def build(self, task: Task) -> Recommender:
        """A freshly initialised model."""
        self.check(task)
        model = self.model(task)
        model.embedding.weight.data.mul_(self.spread / SPREAD)
        return model

    def __post_init__(self) -> None:
        self._at_least_one("dim")
        if not 0.0 < self.spread < math.inf:
            self._refuse("spread", "above 0")
        if not 0.0 <= self.dropout < 1.0:
            self._refuse("dropout", "at least 0 and below 1")


@dataclass(frozen=True)
class NextItem(RecommendArchitecture):
    """Those that predict what came next after every position.

    ``loss`` is ``bce`` (binary cross-entropy with ``negatives`` items that the user did not touch in
    training), ``sampled`` (softmax over the item and the negatives) or ``softmax`` (over all items, no
    negatives).
    """

    loss: Loss = "bce"
    negatives: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.loss not in get_args(Loss):
            self._refuse("loss", "bce, sampled or softmax")
        self._at_least_one("negatives", 10_000)
