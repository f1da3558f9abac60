"""Recommenders without order: a user and one candidate in, the odds that it is taken out (Jain ch. 3)."""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.data.base import Kind, Split, Task
from holdfast.models.base import Architecture
from holdfast.models.interaction.item_model import ItemModel
from holdfast.models.interaction.losses import LOWEST
from holdfast.models.interaction.recommender import SPREAD, cut_normal

Head = Literal["sigmoid", "two", "three"]
AT_ONCE = {"cpu": 1 << 19, "cuda": 1 << 26}  # numbers in the largest tensor while candidates are ranked
ASK = "expected the candidate that is asked about (query), but got none: call focused first"
NOTHING = "it reads no history, so there is nothing to explain: choose fism or deepicf"


class PairModel(ItemModel):
    """Scores pairs of a user and a candidate, ``batch.query``, which is never part of its own history.

    The classes are (not taken, taken); with the head ``three`` (disliked, not taken, liked). The head
    ``sigmoid`` has one output z, and logits (0, z).
    """

    trains_on: ClassVar[str] = "pairs"
    reads_history: ClassVar[bool] = True

    def __init__(self, task: Task, head: Head, negatives: int) -> None:
        super().__init__()
        self.items, self.head, self.negatives = task.vocabulary, head, negatives
        self.classes = 3 if head == "three" else 2
        self.outputs = 1 if head == "sigmoid" else self.classes

    @abstractmethod
    def pairs(
        self, embedded: Tensor, batch: Batch, items: Int[Tensor, "B C"], edit: Edit
    ) -> tuple[Float[Tensor, "B C o"], Float[Tensor, "N T"] | None]:
        """The outputs of each user with each of his candidates, all at once, and the attention of each pair
        over the history, one pair after another, where there is any."""

    @property
    def numbers(self) -> int:
        """How many numbers one pair takes at once, for each item of the history."""
        return 1

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Tensor:
        """The item vectors themselves: what is made of them depends on the candidate."""
        return embedded

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The logits of the pair."""
        if batch.query is None:
            raise BadData(ASK)
        outputs, weights = self.pairs(states, batch, batch.query, edit)
        embedded = states if edit.embedded is None else edit.embedded
        return Trace(self.logits(outputs[:, 0]), () if weights is None else (weights,), embedded, states)

    def logits(self, outputs: Float[Tensor, "*B o"]) -> Float[Tensor, "*B c"]:
        """One logit for each class: (0, z) where there is one output."""
        return F.pad(outputs, (1, 0)) if self.outputs == 1 else outputs

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """Of (0, z), each class has what speaks against the other."""
        if self.outputs > 1:
            return logits
        z = logits[..., 1] - logits[..., 0]
        return torch.stack([-z, z], -1)

    def ask(self, batch: Batch, place: Int[Tensor, "B"]) -> Batch:
        """The same users, asked about one of their candidates each."""
        items = place[:, None]
        return replace(batch, query=items if batch.candidates is None else batch.candidates.gather(1, items))

    def focused(self, batch: Batch, target: Int[Tensor, "B"]) -> tuple[Batch, Int[Tensor, "B"]]:
        """The candidate at that place, and the last class: it is taken."""
        if not self.reads_history:
            raise BadSetting(f"this model cannot be explained: {NOTHING}")
        if batch.query is not None:
            return batch, target
        return self.ask(batch, target), torch.full_like(target, self.classes - 1)

    def counted(self, task: Task, split: Split) -> Task:
        """``negatives`` pairs for each that was taken."""
        disliked, liked = split.taken
        none, taken = self.negatives * (disliked + liked), disliked + liked
        return replace(task, counts=(disliked, none, liked) if self.classes == 3 else (none, taken))

    def right(self, target: Int[Tensor, "B"], truth: Int[Tensor, "B"]) -> Int[Tensor, "B"]:
        """Taken, where the true candidate is asked about."""
        return self.classes - 2 + (target == truth).long()

    def rank(self, batch: Batch) -> Float[Tensor, "B C"]:
        """The log-odds of the last class for each candidate, or for each item where there are none.

        Some users after another, and of each some candidates, so that long histories fit in memory.
        """
        embedded, items = self.embedded(batch), batch.candidates
        if items is None:
            items = torch.arange(self.items, device=batch.mask.device).expand(len(batch), self.items)
        most = AT_ONCE["cuda" if embedded.is_cuda else "cpu"]
        pairs = max(1, most // (self.numbers * max(1, batch.mask.shape[-1])))
        users = max(1, pairs // items.shape[1])
        found = []
        for start in range(0, len(batch), users):
            part = slice(start, start + users)
            few, vectors = batch.map(lambda tensor, part=part: tensor[part]), embedded[part]  # type: ignore[misc]
            pieces = torch.split(items[part], max(1, pairs // users), 1)
            found.append(torch.cat([self._odds(vectors, few, piece) for piece in pieces], 1))
        return torch.cat(found)

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """The cross-entropy of each item that was taken and of each of its negatives, summed and divided by
        the number of columns; a column without an item counts nothing."""
        if batch.following is None or batch.negatives is None:
            raise BadData("expected a batch to train on, with following and negatives, but got one without")
        items = torch.cat([batch.following[..., None], batch.negatives], -1)
        embedded = self.embedded(batch, edit)
        outputs, _ = self.pairs(embedded, batch, items.flatten(1), edit)
        each = self._cross_entropies(self.tempered(outputs), self._classes(batch, items), weights)
        counts = (batch.following > 0)[..., None]
        return torch.where(counts, each.view(items.shape), 0.0).sum((1, 2)) / items.shape[1]

    def calibrated(
        self, logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]
    ) -> tuple[Float[Tensor, "*M K 2"], Int[Tensor, "K"]]:
        """Every pair of a user and a candidate: is it taken? One user's pairs stand in a row."""
        pairs = torch.stack([torch.zeros_like(logits), logits], -1).flatten(-3, -2)
        return pairs, F.one_hot(targets, logits.shape[-1]).flatten()

    def probabilities(self, logits: Float[Tensor, "*M N C"]) -> Float[Tensor, "*M N C"]:
        """That each candidate is taken, whatever becomes of the others."""
        return logits.sigmoid()

    def _cross_entropies(
        self,
        outputs: Float[Tensor, "B C o"],
        classes: Int[Tensor, "B S k"],
        weights: Float[Tensor, "c"] | None,
    ) -> Float[Tensor, "N"]:
        """Of each pair; two classes with one output z have logits (0, z)."""
        if self.outputs > 1:
            return F.cross_entropy(outputs.flatten(0, 1), classes.flatten(), weights, reduction="none")
        flat, taken = outputs.flatten(), classes.flatten()
        each = F.binary_cross_entropy_with_logits(flat, taken.to(flat.dtype), reduction="none")
        return each if weights is None else each * weights[taken]

    def _classes(self, batch: Batch, items: Int[Tensor, "B S k"]) -> Int[Tensor, "B S k"]:
        """Negatives are not taken, the first of each column is taken, or as it was rated."""
        none = torch.full_like(items[..., 1:], self.classes - 2)
        taken = torch.full_like(items[..., 0], self.classes - 1)
        if self.head == "three":
            if batch.labels is None:
                raise BadData("expected ratings (labels) to train three classes on, but got none")
            taken = batch.labels
        return torch.cat([taken[..., None], none], -1)

    def _odds(self, embedded: Tensor, batch: Batch, items: Int[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        logits = self.tempered(self.logits(self.pairs(embedded, batch, items, PLAIN)[0]))
        odds = logits[..., -1] - logits[..., :-1].logsumexp(-1)
        return odds.masked_fill(items == 0, LOWEST)


@dataclass(frozen=True)
class PairArchitecture(Architecture):
    """What all models of pairs have in common: ``dim`` numbers for an item, ``negatives`` items not taken for
    each item taken in training, and ``spread``, the σ that vectors start with: products of vectors that start
    near 0 hardly move, and what is popular is all that a model learns at first."""

    reads: ClassVar[tuple[Kind, ...]] = ("interaction",)
    ordered: ClassVar[bool] = False

    dim: int = 16
    negatives: int = 4
    spread: float = 0.1

    def __post_init__(self) -> None:
        self._at_least_one("dim")
        self._at_least_one("negatives", 10_000)
        if not 0.0 < self.spread < math.inf:
            self._refuse("spread", "above 0")

    def vectors(self, number: int, dim: int) -> nn.Embedding:
        """A table of freshly drawn vectors."""
        return nn.Embedding(number, dim, _weight=cut_normal(number, dim).data * (self.spread / SPREAD))


def tower(widths: tuple[int, ...]) -> nn.Sequential:
    """Layers of these widths, each followed by a ReLU.

    >>> [tuple(layer.weight.shape) for layer in tower((4, 3, 2)) if isinstance(layer, nn.Linear)]
    [(3, 4), (2, 3)]
    """
    layers = [(nn.Linear(a, b), nn.ReLU(inplace=True)) for a, b in pairwise(widths)]
    return nn.Sequential(*(layer for pair in layers for layer in pair))
