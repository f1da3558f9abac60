"""Self-attention over words."""

import math
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.core.rules import Rules
from holdfast.data.base import Task
from holdfast.models.blocks import Blocks, Maps, may_attend
from holdfast.models.bounded import DEEPEST
from holdfast.models.layers import Attention, linear
from holdfast.models.text.classifier import Encoder, TextArchitecture, TextModel
from holdfast.models.vectors import embedding


@dataclass(frozen=True)
class Transformer(TextArchitecture):
    """Blocks of self-attention in both directions, then attention pooling (Vaswani et al. 2017).

    The blocks are those of Baumhauer §3.2.1. Words are projected to ``hidden`` numbers and given sinusoidal
    positions, counted from the left; ``dropout`` acts in the blocks as well. In a pair the second text has
    blocks of its own, whose attention is not in the trace.

    >>> Transformer(hidden=8).encoder(dim=5).width
    8
    """

    dropout: float = 0.1
    hidden: int = 128
    blocks: int = 2
    heads: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("hidden")
        self._at_least_one("blocks", DEEPEST)
        if self.heads < 1 or self.hidden % self.heads:
            self._refuse("heads", f"a divisor of hidden, which is {self.hidden}")

    def encoder(self, dim: int) -> "Placed":
        """A freshly initialised projection and its blocks."""
        return Placed(dim, Blocks(self.hidden, self.heads, self.blocks, self.dropout), self.hidden)

    def build(self, task: Task) -> "Contextual":
        """A freshly initialised classifier."""
        self.check(task)
        words = embedding(task, self.dim)
        encoders = tuple(self.encoder(words.embedding_dim) for _ in range(2 if task.pair else 1))
        return Contextual(task, words, encoders, self.attention, self.dropout)


class Placed(Encoder):
    """Words with their positions; the blocks come after, where attention may be edited."""

    def __init__(self, dim: int, blocks: Blocks, width: int) -> None:
        super().__init__()
        self.width = width
        self.project = nn.Linear(dim, width)
        self.blocks = blocks

    def forward(
        self, embedded: Float[Tensor, "*L B T D"], mask: Bool[Tensor, "B T"], rules: Rules | None = None
    ) -> Float[Tensor, "B T m"]:
        """``√m (W x_t + b) + p_t``; the factor is Vaswani's, so that positions do not drown the words."""
        states = linear(rules, self.project, embedded, "input") * math.sqrt(self.width)
        return (states + sinusoids(mask.shape[-1], self.width, states)) * mask[..., None]

    def attend(
        self, states: Float[Tensor, "B T m"], mask: Bool[Tensor, "B T"], edit: Edit
    ) -> tuple[Float[Tensor, "B T m"], Maps]:
        """The last block's states, and every map."""
        return self.blocks(states, may_attend(mask, causal=False), edit)  # type: ignore[no-any-return]

    def summary(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """The mean of the last block's states; a text without words has mean 0."""
        states, _ = self.attend(self(embedded, mask), mask, PLAIN)
        return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


class Contextual(TextModel):
    """A text classifier with blocks between its encoder and its pooling, whose maps come first in the trace;
    ``trace.read`` are the pooling weights."""

    encoder: Placed
    pools = False

    def __init__(
        self,
        task: Task,
        words: nn.Embedding,
        encoders: tuple[Placed, ...],
        attention: Attention,
        rate: float = 0.0,
    ) -> None:
        super().__init__(task, words, encoders, attention, rate)

    @property
    def attention_names(self) -> tuple[str, ...]:
        """Q, K and V of its blocks, and the pooling; not the query's blocks, whose maps are not in the trace.
        Q, K and V are one tensor, so that V comes along."""
        blocks = tuple(f"encoder.blocks.{name}" for name in self.encoder.blocks.attention_names)
        return blocks + super().attention_names

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The blocks, then as every text classifier."""
        context, maps = self.encoder.attend(states, batch.mask, edit)
        trace = super().decide(context, batch, _after(edit, len(maps)))
        (weights,) = trace.attention
        embedded = states if edit.embedded is None else edit.embedded
        return replace(trace, attention=(*maps, weights), embedded=embedded, states=states, read=weights)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on the states, and of the blocks."""
        return {**super().noise(batch), **self.encoder.blocks.noise(*batch.mask.shape[-2:])}


def _after(edit: Edit, layers: int) -> Edit:
    """The edit as the pooling sees it, which is the layer after those of the blocks."""
    door = edit.attention
    if door is None:
        return edit
    return replace(edit, attention=lambda weights, site: door(weights, replace(site, layer=layers)))


def sinusoids(length: int, width: int, like: Tensor) -> Float[Tensor, "T m"]:
    """``p_{t,2i} = sin(t / 10000^{2i/m})``, ``p_{t,2i+1} = cos(the same)`` (Vaswani et al. 2017).

    >>> sinusoids(2, 4, torch.zeros(()))
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    places = torch.arange(length, device=like.device, dtype=like.dtype)
    rates = 10000.0 ** (-torch.arange(0, width, 2, device=like.device, dtype=like.dtype) / width)
    angles = places[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :width]
