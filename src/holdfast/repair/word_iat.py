"""Adversarial training of the word vectors, towards other words."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Task
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.models.vectors import PAD
from holdfast.repair.adversary import against_input, check_reads, check_strength, scaled
from holdfast.train.repair import Repair, Teacher, Tensors

TABLE, NEAREST = "embedding.weight", "nearest"
WITHOUT = "word_iat: expected word vectors that train, but this model has none: choose word_at"
BLOCK = 1024  # words whose distances to all others are known at once


@dataclass(frozen=True)
class WordIat(Repair):
    """Train against word vectors moved towards other words: ``L(x) + L(x + r)``, ``r_t = Σ_k α_tk d_tk``,
    ``d_tk = (e_k − e_t) / ‖e_k − e_t‖₂``, ``α = ε g / ‖g‖₂``, g the gradient of L by α at 0 (Sato et al.
    2018).

    k runs over the ``neighbours`` words (or items) whose vectors were nearest when training began, or all
    there are; the vectors themselves are those of the present step. ``strength`` is ε.

    >>> WordIat(neighbours=5)
    WordIat(strength=0.3, neighbours=5)
    """

    strength: float = 0.3
    neighbours: int = 15

    def __post_init__(self) -> None:
        check_strength(self, self.strength)
        if not 1 <= self.neighbours <= BLOCK:
            raise BadSetting(f"word_iat: expected neighbours from 1 to {BLOCK}, but got {self.neighbours}")

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """None; a model that reads nothing is refused."""
        check_reads(self, model)
        return super().teachers(model)

    def suits(self, model: Model, dataset: Dataset) -> None:
        """Words that can be neighbours, and vectors of them that train."""
        if dataset.task.vocabulary < 3:
            raise BadSetting(
                "word_iat: expected two words or more, which can be neighbours, but these data have fewer: "
                "choose word_at"
            )
        if TABLE not in dict(model.named_parameters()):
            raise BadSetting(WITHOUT)

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """The nearest words of each; without vectors that train there are none."""
        return {NEAREST: nearest(parameters[TABLE], self.neighbours)} if TABLE in parameters else {}

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """Both losses."""
        if NEAREST not in memory:
            raise BadSetting(WITHOUT)
        table, words = run.parameters[TABLE].detach(), batch.inputs
        others = F.embedding(F.embedding(words, memory[NEAREST]), table)
        towards = others - F.embedding(words, table)[..., None, :]
        far = towards.norm(dim=-1)
        # d = towards / far, which is never made: it would be the largest tensor here; 0 between equal vectors
        inverse = torch.where(far > 0, 1 / torch.where(far > 0, far, 1.0), 0.0)

        def shift(slope: Tensor) -> Tensor:
            slopes = (towards @ slope[..., None]).squeeze(-1) * inverse
            alpha = scaled(slopes.flatten(1), self.strength).view(slopes.shape)
            return ((alpha * inverse)[..., None, :] @ towards).squeeze(-2)

        return against_input(run, batch, noise, shift)


def nearest(table: Float[Tensor, "V D"], count: int) -> Int[Tensor, "V K"]:
    """The words whose vectors are nearest to each word's, without itself and padding; some words at a time.

    >>> nearest(torch.tensor([[0.0], [1.0], [2.0], [4.0]]), 1)[1:]
    tensor([[2],
            [1],
            [2]])
    """
    words = torch.arange(len(table), device=table.device)
    squares = table.square().sum(-1)
    parts = []
    for some in torch.split(words, BLOCK):
        far = squares - 2 * table[some] @ table.mT  # the word's own square changes no order
        never = (words == some[:, None]) | (words == PAD)
        far = far.masked_fill(never, torch.inf)
        parts.append(far.topk(min(count, len(table) - 2), largest=False).indices)
    return torch.cat(parts)
