"""Random forests, as scikit-learn has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float, Int
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.errors import Failed
from holdfast.data.base import Task
from holdfast.models.features.tabular import FeatureArchitecture
from holdfast.models.features.trees import Grown, TreeModel
from holdfast.models.features.words import MOST_LEAVES

LEAST = 1e-7  # of a probability, whose logarithm is finite then


@dataclass(frozen=True)
class Forest(FeatureArchitecture):
    """Scikit-learn's ``RandomForestClassifier``: ``trees`` of at most ``leaves`` leaves, the best splits
    first, ``least`` rows in a leaf, each split among √W of the W numbers of a row.

    What is explained is the probability of a class, which its trees average, not the log-odds: those of a
    forest that is sure are infinite.

    >>> Forest().trees
    100
    """

    fits: ClassVar[bool] = True
    smooth: ClassVar[bool] = False

    trees: int = 100
    leaves: int = MOST_LEAVES
    least: int = 1

    def __post_init__(self) -> None:
        self._at_least_one("trees", 10_000)
        self._at_least_one("leaves", MOST_LEAVES)
        self._at_least_one("least")
        if self.leaves < 2:
            self._refuse("leaves", "at least 2")

    def build(self, task: Task) -> "Averaged":
        """Trees that say nothing yet."""
        self.check(task)
        return Averaged(task, self)


class Averaged(TreeModel):
    """Trees that add up to probabilities."""

    exact = True

    def __init__(self, task: Task, settings: Forest) -> None:
        super().__init__(task, settings.trees, settings.leaves, len(task.classes))
        self.settings = settings

    def linked(self, total: Float[Tensor, "*N O"]) -> Float[Tensor, "*N C"]:
        """Their logarithms; of two classes the log-odds."""
        logs = total.clamp(min=LEAST).log()
        return logs if self.outputs > 1 else logs - logs[..., :1]

    def explained(self, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """The probability of the target."""
        return logits.softmax(-1).gather(1, target[:, None])[:, 0]

    def share(self, parts: Float[Tensor, "B T O"], target: Int[Tensor, "B"]) -> Float[Tensor, "B T"]:
        """That of its probability, which is what the trees average at temperature 1 alone."""
        if float(self.temperature) != 1.0:
            raise Failed(
                "with a temperature a forest's probabilities are no mean over its trees: choose "
                "shapley:of=probability"
            )
        chosen = target[:, None, None].expand(*parts.shape[:2], 1)
        return parts.gather(2, chosen)[..., 0]

    def grow(
        self, rows: NDArray[np.float32], classes: NDArray[np.int64], seed: int
    ) -> tuple[Sequence[Grown], NDArray[np.float64]]:
        """Every tree's share of the probabilities."""
        from sklearn.ensemble import RandomForestClassifier

        own = self.settings
        learner = RandomForestClassifier(
            own.trees, max_leaf_nodes=own.leaves, min_samples_leaf=own.least, random_state=seed, n_jobs=1
        )
        learner.fit(rows, classes)
        return [_grown(one.tree_, own.trees) for one in learner.estimators_], np.zeros(len(self.base))


def _grown(tree: "object", trees: int) -> Grown:
    names = ("children_left", "children_right", "feature", "threshold", "value")
    left, right, feature, threshold, value = (getattr(tree, name) for name in names)
    shares = value[:, 0] / value[:, 0].sum(1, keepdims=True)
    return Grown(left, right, feature, threshold, shares / trees)
