"""The strip classifier: front → cell → head, through strips of an image or words of a text (Chormai §4)."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, cast

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.core.settings import name_of
from holdfast.data.base import Kind, Task
from holdfast.models.base import Architecture, Model
from holdfast.models.image.cells import Cell, Memory
from holdfast.models.image.convolution import Convolution
from holdfast.models.image.fronts import Front
from holdfast.models.image.layers import FIRST_BIAS, Drop, Layer, dense, dropped, first_bias
from holdfast.models.vectors import embedding, look_up

MOST_BIAS = 100.0


class ImageModel(Model):
    """An image in strips (or a text: ``embedding``) in, one logit for each class out.

    Logits are linear. The softmax of the loss sees one more, constantly 0, so that the true class is pushed
    above zero: relevance is distributed from there (Chormai §4.1). Probabilities leave it out again.
    """

    logits: Layer

    def __init__(self, rate: float, stationary: bool) -> None:
        super().__init__()
        self.rate, self.stationary = rate, stationary
        self.embedding: nn.Embedding | None = None

    def embed(self, batch: Batch) -> Float[Tensor, "B T H w"] | Float[Tensor, "B T D"]:
        """The pixels, or the word vectors; holes are 0."""
        if self.embedding is not None:
            return look_up(self.embedding, batch.inputs, batch.mask)
        return batch.inputs.to(self.logits.offset.dtype) * batch.mask[..., None, None]

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """Cross-entropy over the logits and a constant 0, times the weight of the class."""
        assert batch.targets is not None
        logits = F.pad(self(batch, edit).logits, (0, 1))
        each = None if weights is None else F.pad(weights, (0, 1))  # the constant is never the truth
        return F.cross_entropy(logits, batch.targets, each, reduction="none")


class Recurrent(ImageModel):
    """A front, a cell, fully-connected layers on the last state, and logits."""

    def __init__(
        self, task: Task, front: Front, cell: Cell, head: tuple[int, ...], rate: float, stationary: bool
    ) -> None:
        super().__init__(rate, stationary)
        self.front, self.cell, self.domain = front, cell, cell.domain
        self.head = nn.ModuleList(dense(a, b) for a, b in pairwise((cell.width, *head)))
        self.heads = {f"head{place}": width for place, width in enumerate(head)}
        self.logits = dense((cell.width, *head)[-1], len(task.classes))

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Float[Tensor, "B m"]:
        """The last hidden layer, after the last step that exists."""
        rules, drop = edit.rules, Drop(edit.noise, self.rate)
        strips = embedded if self.embedding is None else embedded.unsqueeze(-1)
        features = self.front(strips, batch.mask, drop, rules)
        x: Tensor = self.cell(features, batch.mask, drop, rules, self.front.domain)
        for name, layer in zip(self.heads, self.head, strict=True):
            x = dropped(cast(Layer, layer).rectified(x, rules, self.cell.domain), drop.keep(name))
        return x

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The logits."""
        logits = self.logits(states, edit.rules, "positive" if self.heads else self.cell.domain)
        return Trace(logits, (), states if edit.embedded is None else edit.embedded, states)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on every fully-connected layer's activations."""
        if self.rate == 0.0:
            return {}
        rows, length = batch.mask.shape[-2:]
        each = (rows,) if self.stationary else (rows, length)
        stepwise = {name: (*each, width) for name, width in (self.front.drops | self.cell.drops).items()}
        return stepwise | {name: (rows, width) for name, width in self.heads.items()}


@dataclass(frozen=True)
class ImageArchitecture(Architecture):
    """What all strip classifiers have in common.

    ``dropout`` acts on the activations of every fully-connected layer; ``stationary`` draws one mask for all
    steps (Chormai §4.4.1) instead of one for each. ``bias`` is what softplus(b) starts from: on strips of few
    pixels the literal connections of ``conv+deep`` start dead with the document's 0.01.
    """

    reads: ClassVar[tuple[Kind, ...]] = ("image",)
    attends: ClassVar[bool] = False

    dropout: float = 0.2
    stationary: bool = False
    bias: float = FIRST_BIAS

    def __post_init__(self) -> None:
        if not 0.0 < self.bias <= MOST_BIAS:
            self._refuse("bias", f"above 0 and at most {MOST_BIAS}")
        if not 0.0 <= self.dropout < 1.0:
            self._refuse("dropout", "at least 0 and below 1")

    @abstractmethod
    def model(self, task: Task, strip: tuple[int, int, int]) -> ImageModel:
        """A freshly initialised model of strips of this shape: steps, height, width."""

    def build(self, task: Task) -> ImageModel:
        """A freshly initialised classifier."""
        self.check(task)
        assert task.strip is not None
        model = self.model(task, task.strip)
        for module in model.modules():
            if isinstance(module, Layer | Convolution) or (isinstance(module, Memory) and module.rectified):
                module.offset = first_bias(len(module.offset), self.bias)
        return model


@dataclass(frozen=True)
class CellArchitecture(ImageArchitecture):
    """What cells without convolutions have in common: they read texts as well, one word a step.

    ``dim`` is the length of the word vectors where the task brings none.
    """

    reads: ClassVar[tuple[Kind, ...]] = ("image", "text")

    dim: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at_least_one("dim")

    def check(self, task: Task) -> None:
        """A pair of texts is refused as well."""
        super().check(task)
        if task.pair:
            raise BadSetting(
                f"{name_of(type(self))}: expected single texts, but got pairs: take a text model"
            )

    def build(self, task: Task) -> ImageModel:
        """A freshly initialised classifier; a word is a strip as high as its vector."""
        if task.strip is not None:
            return super().build(task)
        self.check(task)
        words = embedding(task, self.dim)
        model = super().build(replace(task, strip=(1, words.embedding_dim, 1)))
        model.embedding = words
        return model
