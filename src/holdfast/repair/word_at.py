"""Adversarial training of the word vectors."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.models.base import Architecture
from holdfast.models.run import Run
from holdfast.repair.adversary import against_input, check_reads, check_strength, scaled
from holdfast.train.repair import Repair, Teacher, Tensors


@dataclass(frozen=True)
class WordAt(Repair):
    """Train against word vectors moved the way that raises the loss most: ``L(x) + L(x + r)``,
    ``r = ε g / ‖g‖₂`` (Miyato, Dai & Goodfellow 2017).

    g is the gradient of L by the vectors of a whole text (items of a history, pixels of an image), and r has
    no gradient; of a pair of texts the second is left alone. ``strength`` is ε. Vectors are not normalised,
    so choose it beside their length.

    >>> WordAt(strength=0.5)
    WordAt(strength=0.5)
    """

    strength: float = 0.3

    def __post_init__(self) -> None:
        check_strength(self, self.strength)

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """None; a model that reads nothing is refused."""
        check_reads(self, model)
        return super().teachers(model)

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """Both losses."""

        def shift(slope: Tensor) -> Tensor:
            return scaled(slope.flatten(1), self.strength).view(slope.shape)

        return against_input(run, batch, noise, shift)
