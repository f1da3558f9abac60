"""What recommenders by self-attention share: positions counted from the right end, blocks, what is read."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.records import PLAIN, Batch, Edit
from holdfast.data.base import Task
from holdfast.models.blocks import Blocks, Maps, may_attend
from holdfast.models.bounded import DEEPEST
from holdfast.models.interaction.losses import Loss
from holdfast.models.interaction.recommender import RecommendArchitecture, Recommender, cut_normal
from holdfast.models.subsets import last_states


class Attentive(Recommender):
    """Items and positions into the blocks; the state at the last position is read.

    A model may put ``extra`` positions after those of the history. The last position always has its position
    vector and asks, whether its item exists or not; every other position without an item is 0.
    """

    causal: ClassVar[bool]
    extra: ClassVar[int] = 0

    def __init__(self, task: Task, dim: int, blocks: Blocks, loss: Loss, negatives: int) -> None:
        super().__init__(task, dim, loss, negatives)
        self.positions = cut_normal(self.length + self.extra, dim)
        self.blocks = blocks

    @property
    def attention_names(self) -> tuple[str, ...]:
        """Q, K and V of each block: they are one tensor, so that V comes along."""
        return tuple(f"blocks.{name}" for name in self.blocks.attention_names)

    @abstractmethod
    def whole(self, mask: Bool[Tensor, "B T"]) -> Bool[Tensor, "B P"]:
        """Which positions exist, the model's own included."""

    def placed(self, vectors: Float[Tensor, "B P d"]) -> Float[Tensor, "B P d"]:
        """Vectors plus positions."""
        return vectors + self.positions[-vectors.shape[1] :]

    def hidden(self, states: Tensor, batch: Batch, edit: Edit) -> tuple[Float[Tensor, "B P d"], Maps]:
        """The last block's states at every position."""
        return self.attend(states, self.whole(batch.mask), edit)

    def attend(self, states: Tensor, mask: Tensor, edit: Edit) -> tuple[Float[Tensor, "B P d"], Maps]:
        """The same, where it is said which positions exist."""
        return self.blocks(*self._seen(states, mask), edit)  # type: ignore[no-any-return]

    def last(self, states: Tensor, batch: Batch, edit: Edit = PLAIN) -> Float[Tensor, "B d"]:
        """The last block's state at the last position."""
        return self.blocks.last(*self._seen(states, self.whole(batch.mask)), edit)

    def read(
        self, states: Tensor, batch: Batch, edit: Edit
    ) -> tuple[Float[Tensor, "B d"], Maps, Float[Tensor, "B P"]]:
        """The same with every map."""
        hidden, maps = self.blocks(*self._seen(states, self.whole(batch.mask)), edit, last=True)
        return hidden[:, 0], maps, _end(states).to(states.dtype).expand(states.shape[:2])

    def subsets(self, batch: Batch, kept: Bool[Tensor, "S T"], stays: bool = False) -> Float[Tensor, "S C"]:
        """Scores with only some of the items. One that ``stays`` asks as before, but only the last one is
        read, so that for all others this is the same."""
        states = self.encode(self.embedded(batch), batch, PLAIN)[0]
        absent = states[-1] if stays else self.positions[-1]
        last = last_states(self.blocks, states, absent, self.whole(kept & batch.mask), self.causal)
        return self.shared_scores(last, batch)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """The draws of the blocks' dropout."""
        rows, length = batch.mask.shape[-2:]
        return self.blocks.noise(rows, length + self.extra)

    def _seen(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The states of what exists (at the last position, if no item, its position), and who sees whom."""
        end = _end(states)
        nothing = end[:, None] * self.positions[-states.shape[1] :]
        return torch.where(mask[..., None], states, nothing), may_attend(mask, self.causal, end)


@dataclass(frozen=True)
class BlockSettings(RecommendArchitecture):
    """``blocks`` blocks of ``heads`` heads."""

    blocks: int = 2
    heads: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("blocks", DEEPEST)
        if self.heads < 1 or self.dim % self.heads:
            self._refuse("heads", f"a divisor of dim, which is {self.dim}")

    def stack(self) -> Blocks:
        """Freshly initialised blocks."""
        return Blocks(self.dim, self.heads, self.blocks, self.dropout)


def _end(states: Tensor) -> Bool[Tensor, "P"]:
    length = states.shape[1]
    return torch.arange(length, device=states.device) == length - 1
