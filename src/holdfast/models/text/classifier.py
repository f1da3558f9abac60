"""The text classifier: embedding → encoder → attention → linear head (Jain ch. 4)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import get_args

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.errors import BadData
from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.core.rules import Domain, Part, Rules, activation, affine, matmul
from holdfast.data.base import Task
from holdfast.models.base import Architecture, Model
from holdfast.models.layers import Attention, Pool, among, dropout, linear
from holdfast.models.vectors import embedding, look_up


class Encoder(nn.Module, ABC):
    """Embedded words in, one state of ``width`` numbers per position out. Holes leave no trace anywhere.

    ``domain`` says whether states are behind a ReLU. Under ``rules`` the words may have a leading axis.
    """

    width: int
    domain: Domain = "signed"

    @abstractmethod
    def forward(
        self, embedded: Float[Tensor, "*L B T D"], mask: Bool[Tensor, "B T"], rules: Rules | None = None
    ) -> Float[Tensor, "B T m"]:
        """The states; masked positions are exactly 0."""

    def subsets(self, embedded: Float[Tensor, "T D"], kept: Bool[Tensor, "S T"]) -> Float[Tensor, "S T m"]:
        """The states of one text with only some of its words, for as many subsets as are given."""
        return self(embedded.expand(len(kept), *embedded.shape), kept)  # type: ignore[no-any-return]

    @abstractmethod
    def summary(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """The whole text in one state: the query of a pair."""


class TextModel(Model):
    """One text (or a pair of texts) in, logits over the classes out.

    Two classes have one logit z, returned as (0, z). In a pair the second text is the query Q: it has an
    encoder of its own, steers the attention, and the head is ``linear(tanh(W_p context + W_q Q))``. Of cloze
    questions the query is the question, and the classes are entities: softmax is over those that the passage
    names, and gives the others 0 (Jain §2.6).
    """

    pools = True

    def __init__(
        self,
        task: Task,
        words: nn.Embedding,
        encoders: tuple[Encoder, ...],
        attention: Attention,
        rate: float = 0.0,
    ) -> None:
        super().__init__()
        width = encoders[0].width
        half = max(width // 2, 1)
        outputs = 1 if len(task.classes) == 2 else len(task.classes)
        self.rate, self.domain, self.cloze = rate, encoders[0].domain, task.cloze
        self.embedding = words
        self.encoder = encoders[0]
        self.pool = Pool(width, attention, task.pair)
        self.query_encoder = encoders[1] if task.pair else None
        self.join_context = nn.Linear(width, half) if task.pair else None
        self.join_query = nn.Linear(width, half, bias=False) if task.pair else None
        self.head = nn.Linear(half if task.pair else width, outputs)

    @property
    def attention_names(self) -> tuple[str, ...]:
        """All of the pooling, which has no values of its own."""
        return tuple(f"pool.{name}" for name, _ in self.pool.named_parameters())

    def embed(self, batch: Batch) -> Float[Tensor, "B T D"]:
        """The word vectors."""
        return look_up(self.embedding, batch.inputs, batch.mask)

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Float[Tensor, "B T m"]:
        """The encoder's states."""
        states: Tensor = self.encoder(embedded, batch.mask, edit.rules)
        return dropout(states, edit.noise, "states", self.rate)

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """Attention pooling and head."""
        query = self._query(batch, edit)
        context, weights = self.pool(states, batch.mask, edit, query)
        logits = self._options(self._logits(self._joined(context, query, edit.rules), edit.rules), batch)
        embedded = states if edit.embedded is None else edit.embedded
        return Trace(logits, (weights,), embedded, states)

    def attended(self, states: Tensor, batch: Batch, maps: Float[Tensor, "S B T"]) -> Float[Tensor, "S B C"]:
        """One product for all maps."""
        query = self._query(batch, PLAIN)
        context = self._joined(maps.transpose(0, 1) @ states, None if query is None else query[:, None], None)
        logits = self._options(self._logits(context, None).transpose(0, 1), batch)
        return self.tempered(logits)

    def subsets(self, batch: Batch, kept: Bool[Tensor, "S T"], stays: bool = False) -> Float[Tensor, "S C"]:
        """The logits of one text with only some of its words."""
        if stays:
            return super().subsets(batch, kept, stays)
        many = batch.map(lambda tensor: tensor.expand(len(kept), *tensor.shape[1:]))
        some = replace(many, mask=many.mask & kept)
        return self.conclude(self.encoder.subsets(self.embedded(batch)[0], some.mask), some, PLAIN).logits

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on the states, and on the query's."""
        if self.rate == 0.0:
            return {}
        rows, length = batch.mask.shape[-2:]
        shapes: dict[str, tuple[int, ...]] = {"states": (rows, length, self.encoder.width)}
        if self.query_encoder is not None:
            shapes["query"] = (rows, self.encoder.width)
        return shapes

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """Of two classes, each has what speaks against the other."""
        if self.head.out_features > 1:
            return logits
        z = logits[..., 1] - logits[..., 0]
        return torch.stack([-z, z], -1)

    def _joined(self, context: Tensor, query: Tensor | None, rules: Rules | None) -> Tensor:
        """The context, of a pair with its query."""
        of_context, of_query = self.join_context, self.join_query
        if query is None or of_context is None or of_query is None:
            return context
        if rules is None:
            return (of_context(context) + of_query(query)).tanh()  # type: ignore[no-any-return]
        domain = self.encoder.domain
        parts = [
            Part(matmul, context, of_context.weight.mT, domain),
            Part(matmul, query, of_query.weight.mT, domain),
        ]
        return activation(rules, "tanh", affine(rules, parts, of_context.bias))

    def _logits(self, context: Tensor, rules: Rules | None) -> Float[Tensor, "B C"]:
        """(0, z) of two classes; by the rules each class's own evidence, (−z, z)."""
        domain: Domain = "signed" if self.query_encoder is not None else self.encoder.domain
        if rules is None or self.head.out_features > 1:
            logits = linear(rules, self.head, context, domain)
            return F.pad(logits, (1, 0)) if self.head.out_features == 1 else logits
        weight, bias = self.head.weight, self.head.bias
        part = Part(matmul, context, torch.cat([-weight, weight]).mT, domain)
        return affine(rules, [part], torch.cat([-bias, bias]))

    def _options(self, logits: Float[Tensor, "B C"], batch: Batch) -> Float[Tensor, "B C"]:
        if not self.cloze:
            return logits
        if batch.options is None:
            raise BadData(
                "expected a batch of cloze questions with options, but got none: say which entities"
            )
        return among(logits, batch.options)

    def _query(self, batch: Batch, edit: Edit) -> Tensor | None:
        if self.query_encoder is None:
            return None
        if batch.query is None or batch.query_mask is None:
            raise BadData(
                "expected a batch of pairs with query and query_mask, but got none: give both texts"
            )
        embedded = look_up(self.embedding, batch.query, batch.query_mask)
        return dropout(self.query_encoder.summary(embedded, batch.query_mask), edit.noise, "query", self.rate)


@dataclass(frozen=True)
class TextArchitecture(Architecture):
    """What all text classifiers have in common.

    ``dim`` is the length of the word vectors where the task brings none; ``dropout`` acts on the states.
    """

    attention: Attention = "additive"
    dim: int = 100
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.attention not in get_args(Attention):
            self._refuse("attention", "additive or dot")
        if not 0.0 <= self.dropout < 1.0:
            self._refuse("dropout", "at least 0 and below 1")
        self._at_least_one("dim")

    @abstractmethod
    def encoder(self, dim: int) -> Encoder:
        """A freshly initialised encoder of word vectors of length ``dim``."""

    def build(self, task: Task) -> TextModel:
        """A freshly initialised classifier."""
        self.check(task)
        words = embedding(task, self.dim)
        encoders = tuple(self.encoder(words.embedding_dim) for _ in range(2 if task.pair else 1))
        return TextModel(task, words, encoders, self.attention, self.dropout)
