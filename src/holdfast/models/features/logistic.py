"""Logistic regression, as scikit-learn has it."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.features.tabular import FeatureArchitecture, FeatureModel


@dataclass(frozen=True)
class Logistic(FeatureArchitecture):
    """Scikit-learn's ``LogisticRegression``; ``c`` is the inverse of its L2 regularisation.

    It is fitted to its one optimum, so that seeds make no difference: members differ by --resample.

    >>> Logistic(c=0.1).c
    0.1
    """

    fits: ClassVar[bool] = True

    c: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.c < float("inf"):
            self._refuse("c", "above 0 and finite")

    def build(self, task: Task) -> "Linear":
        """A model whose weights are 0 yet."""
        self.check(task)
        return Linear(task, self.c)


class Linear(FeatureModel):
    """``W x + b``. Averages over the background are those of its average row, and Shapley values
    ``W_t (x_t − mean x_t)``."""

    exact = True
    fits = True

    def __init__(self, task: Task, c: float) -> None:
        super().__init__(task)
        self.c = c
        self.weight = nn.Parameter(torch.zeros(self.outputs, len(self.sizes), self.width))
        self.bias = nn.Parameter(torch.zeros(self.outputs))

    def answers(self, rows: Float[Tensor, "N T D"], edit: Edit) -> Float[Tensor, "N C"]:
        """The logits."""
        return self.padded(rows.flatten(-2) @ self.weight.flatten(-2).mT + self.bias)

    def expected(
        self, rows: Float[Tensor, "N T D"], mask: Bool[Tensor, "N T"], edit: Edit
    ) -> Float[Tensor, "N C"]:
        """Those of the row with the mean of the background in its holes."""
        return self.answers(torch.where(mask[..., None], rows, self._mean()), edit)

    def shared_out(self, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B T"]:
        """How far each column moves the logits from those of the mean background."""
        rows = self.embedded(batch)[:, : len(self.sizes)] - self._mean()
        return self.of_target(torch.einsum("btd,otd->bto", rows, self.weight), target, batch)

    def fitted(self, batch: Batch, seed: int) -> dict[str, Tensor]:
        """The weights at the optimum; numbers that no column has keep a weight of 0."""
        from sklearn.linear_model import LogisticRegression

        assert batch.targets is not None
        rows = self.coded(batch.inputs).flatten(-2).numpy()
        learner = LogisticRegression(C=self.c, max_iter=10_000).fit(rows, batch.targets.numpy())
        weight = torch.from_numpy(learner.coef_).to(self.weight).view_as(self.weight)
        return {"weight": weight, "bias": torch.from_numpy(learner.intercept_).to(self.bias)}

    def _mean(self) -> Float[Tensor, "T D"]:
        return self.coded(self.background).mean(0)
