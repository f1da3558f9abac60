"""Self-attention over a history in both directions, trained to fill in what is masked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.core.records import PLAIN, Batch, Edit
from holdfast.data.base import Task
from holdfast.models.blocks import Blocks
from holdfast.models.interaction.attentive import Attentive, BlockSettings
from holdfast.models.interaction.losses import softmax
from holdfast.models.interaction.recommender import cut_normal, no_classes

DRAWS = "cloze"
RARE = math.log(30_000)  # one batch in so many
ALWAYS, NEVER = -1.0, 2.0  # draws below and above every share


@dataclass(frozen=True)
class Bert4rec(BlockSettings):
    """Self-attention in both directions that fills in what is masked (Sun et al. 2019; Baumhauer §3.2.3).

    ``masked`` is γ, the share of items that training masks: 0.2 for ML-1M, 0.4 for Steam, 0.6 for the others;
    its ``loss`` is always that over all items.

    >>> model = Bert4rec(dim=8).build(Task(10, (), length=5))
    >>> sum(p.numel() for p in model.parameters())
    1000
    """

    masked: float = 0.2
    loss: Literal["softmax"] = "softmax"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < self.masked <= 1.0:
            self._refuse("masked", "above 0 and at most 1")
        if self.loss != "softmax":
            self._refuse("loss", "softmax")

    def model(self, task: Task) -> "Cloze":
        """A freshly initialised model."""
        return Cloze(task, self.dim, self.stack(), self.masked)


class Cloze(Attentive):
    """Prediction appends the mask token to the history and reads it; it always exists.

    Training masks each of the n + 1 items (the history and what followed it) whose draw is below γ; where
    none is, or no draws are given, the last one. The loss is the cross-entropy over all items at the masked
    positions, summed and divided by n + 1. At most :func:`most_masked` positions of a batch, those of the
    lowest draws, enter the loss, so that shapes are known beforehand; were there ever more (one batch in
    thirty thousand), the others are masked in the input alone.
    """

    causal: ClassVar[bool] = False
    extra: ClassVar[int] = 1

    def __init__(self, task: Task, dim: int, blocks: Blocks, masked: float) -> None:
        super().__init__(task, dim, blocks, "softmax", 0)
        self.share, self.sizes = masked, task.sizes
        self.token = cut_normal(dim)

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Float[Tensor, "B P d"]:
        """Item vectors and the mask token, plus positions."""
        token = self.token.expand(embedded.shape[0], 1, -1)
        return self.placed(torch.cat([embedded, token], 1))

    def whole(self, mask: Tensor) -> Tensor:
        """The history, and the mask token after it."""
        return F.pad(mask, (0, 1), value=True)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """The draws of the blocks' dropout, and those that choose what is masked."""
        rows, length = batch.mask.shape[-2:]
        return {**super().noise(batch), DRAWS: (rows, length + 1)}

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """The cross-entropy at the masked positions."""
        no_classes(weights)
        if batch.following is None:
            raise BadData("expected a batch to train on, with what came next (following), but got none")
        last = batch.following[:, -1:]
        items = torch.cat([batch.inputs, last], 1)
        exists = torch.cat([batch.mask, last > 0], 1)
        embedded = self.embedded(batch, edit)
        vectors = torch.cat([embedded, F.embedding(last, self.embedding.weight)], 1)
        draws = self._draws(exists, edit)
        states = self.placed(torch.where((draws < self.share)[..., None], self.token, vectors))
        hidden, _ = self.attend(states, exists, edit)
        most = most_masked(len(items), items.shape[1], self.share, self.sizes)
        lowest, places = draws.flatten().topk(most, largest=False, sorted=False)
        guesses, truth = (x.index_select(0, places) for x in (hidden.flatten(0, 1), items.flatten()))
        (each,) = softmax(self.tempered(guesses)[None], self.embedding.weight, truth[None])
        # each at its own place, then summed: sums of a scatter would have no fixed order on a GPU
        whole = torch.zeros_like(hidden[..., 0]).flatten()
        return whole.scatter(0, places, torch.where(lowest < self.share, each, 0.0)).view(items.shape).mean(1)

    def _draws(self, exists: Bool[Tensor, "B P"], edit: Edit) -> Float[Tensor, "B P"]:
        """One for each item; what does not exist is never masked, the last one where nothing else is."""
        drawn = edit.noise.get(DRAWS)
        draws = torch.full_like(exists, NEVER, dtype=self.token.dtype) if drawn is None else drawn
        draws = torch.where(exists, draws, NEVER)
        none = (draws >= self.share).all(1, keepdim=True) & exists[:, -1:]
        return torch.cat([draws[:, :-1], torch.where(none, ALWAYS, draws[:, -1:])], 1)


def most_masked(rows: int, length: int, share: float, sizes: Sequence[int] = ()) -> int:
    """How many of so many items enter the loss at most; one batch in thirty thousand has more.

    As if every place held an item it is the mean and four standard deviations; where most windows are short
    (``sizes``: how many have 0, 1, … items) Bernstein's inequality gives less. At least one of each row,
    which is masked where chance masks none.

    >>> most_masked(128, 51, 0.2), most_masked(4, 3, 0.2), most_masked(2, 5, 1.0)
    (1435, 8, 10)
    >>> most_masked(128, 26, 0.6), most_masked(128, 26, 0.6, sizes=(0, 0, 3, 2, 2, 1, 1))
    (2110, 356)
    """
    number = rows * length
    most = number * share + 4.0 * math.sqrt(number * share * (1.0 - share))
    if sizes:
        most = min(most, _of_windows(rows, share, sizes))
    return max(rows, min(number, math.ceil(most)))


def _of_windows(rows: int, share: float, sizes: Sequence[int]) -> float:
    """The sum over ``rows`` windows of max(1, Binomial(items, share)): its mean, and how far it may go."""
    whole = sum(sizes)
    parts = [(items, number / whole) for items, number in enumerate(sizes)]
    none = sum(part * (1.0 - share) ** items for items, part in parts)
    mean = sum(part * share * items for items, part in parts) + none
    square = sum(part * share * items * (1.0 - share + share * items) for items, part in parts) + none
    far = RARE * (len(sizes) - 1) / 3.0
    return rows * mean + far + math.sqrt(far**2 + 2.0 * RARE * rows * (square - mean**2))
