"""A multi-layer perceptron, trained by gradient steps."""

from dataclasses import dataclass
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor, nn

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.features.tabular import FeatureArchitecture, FeatureModel
from holdfast.models.layers import dropout


@dataclass(frozen=True)
class Mlp(FeatureArchitecture):
    """Fully-connected layers with ReLU between them, on the columns of a row.

    ``hidden`` is how wide each of the ``layers`` is; ``dropout`` acts on the last.

    >>> from holdfast.data.source import Source, load
    >>> model = Mlp(hidden=8, layers=1).build(load(Source("breast-cancer")).task)
    >>> sum(p.numel() for p in model.parameters())
    257
    """

    hidden: int = 64
    layers: int = 2
    dropout: float = 0.0

    def __post_init__(self) -> None:
        self._at_least_one("hidden")
        self._at_least_one("layers", 100)
        if not 0.0 <= self.dropout < 1.0:
            self._refuse("dropout", "at least 0 and below 1")

    def build(self, task: Task) -> "Perceptron":
        """A freshly initialised network."""
        self.check(task)
        return Perceptron(task, self.hidden, self.layers, self.dropout)


class Perceptron(FeatureModel):
    """Layers over all columns side by side."""

    def __init__(self, task: Task, hidden: int, layers: int, rate: float) -> None:
        super().__init__(task)
        self.rate, self.hidden = rate, hidden
        inputs = len(self.sizes) * self.width
        widths = [inputs] + [hidden] * layers
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.head = nn.Linear(hidden, self.outputs)
        with torch.no_grad():  # numbers that no column has do not count
            next(self.layers.parameters()).mul_((inputs / sum(self.sizes)) ** 0.5)

    def answers(self, rows: Float[Tensor, "N T D"], edit: Edit) -> Float[Tensor, "N C"]:
        """The logits."""
        x = rows.flatten(-2)
        for layer in self.layers:
            x = layer(x).relu()
        return self.padded(self.head(dropout(x, edit.noise, "last", self.rate)))

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on the last hidden layer."""
        return {} if self.rate == 0.0 else {"last": (len(batch), self.hidden)}
