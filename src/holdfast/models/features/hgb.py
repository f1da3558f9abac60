"""Histogram-based gradient boosting, as scikit-learn has it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor

from holdfast.data.base import Task
from holdfast.models.features.tabular import FeatureArchitecture
from holdfast.models.features.trees import NONE, Grown, TreeModel
from holdfast.models.features.words import MOST_LEAVES


@dataclass(frozen=True)
class Hgb(FeatureArchitecture):
    """Scikit-learn's ``HistGradientBoostingClassifier``: ``trees`` rounds (a tree for each class where there
    are more than two), at most ``leaves`` leaves in each, ``rate`` the learning rate, ``least`` rows in a
    leaf, ``l2`` regularisation; ``columns`` is the share of the columns that each split chooses from.

    A seed makes a difference where there is something to draw: with ``columns`` below 1, or beyond 10,000
    training rows, of which a tenth is then set aside to stop early. Otherwise members differ by --resample.

    >>> Hgb(trees=20).leaves
    31
    """

    fits: ClassVar[bool] = True
    smooth: ClassVar[bool] = False

    trees: int = 100
    leaves: int = 31
    rate: float = 0.1
    least: int = 20
    l2: float = 0.0
    columns: float = 1.0

    def __post_init__(self) -> None:
        self._at_least_one("trees", 10_000)
        self._at_least_one("leaves", MOST_LEAVES)
        self._at_least_one("least")
        if self.leaves < 2:
            self._refuse("leaves", "at least 2")
        if not 0.0 < self.rate <= 1.0:
            self._refuse("rate", "above 0 and at most 1")
        if not 0.0 <= self.l2 < float("inf"):
            self._refuse("l2", "0 or more and finite")
        if not 0.0 < self.columns <= 1.0:
            self._refuse("columns", "above 0 and at most 1")

    def build(self, task: Task) -> "Boosted":
        """Trees that say nothing yet."""
        self.check(task)
        return Boosted(task, self)


class Boosted(TreeModel):
    """Trees that add up to log-odds; of more than two classes, each tree adds to one of them."""

    exact = True

    def __init__(self, task: Task, settings: Hgb) -> None:
        classes = len(task.classes)
        outputs = 1 if classes == 2 else classes
        super().__init__(task, settings.trees * outputs, settings.leaves, outputs)
        self.settings = settings

    def linked(self, total: Float[Tensor, "*N O"]) -> Float[Tensor, "*N C"]:
        """They are logits."""
        return self.padded(total)

    def grow(
        self, rows: NDArray[np.float32], classes: NDArray[np.int64], seed: int
    ) -> tuple[Sequence[Grown], NDArray[np.float64]]:
        """As many rounds as it took."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        own = self.settings
        learner = HistGradientBoostingClassifier(
            learning_rate=own.rate,
            max_iter=own.trees,
            max_leaf_nodes=own.leaves,
            min_samples_leaf=own.least,
            l2_regularization=own.l2,
            max_features=own.columns,
            random_state=seed,
        )
        learner.fit(rows, classes)
        each = [(number, tree.nodes) for rounds in learner._predictors for number, tree in enumerate(rounds)]
        return [_grown(nodes, number, self.outputs) for number, nodes in each], learner._baseline_prediction[
            0
        ]


def _grown(nodes: NDArray[np.void], number: int, outputs: int) -> Grown:
    """A tree that adds to output ``number``; scikit-learn writes children of leaves as 0."""
    leaf = nodes["is_leaf"].astype(bool)
    left, right = (np.where(leaf, NONE, nodes[side].astype(np.int64)) for side in ("left", "right"))
    value = np.zeros((len(nodes), outputs))
    value[:, number] = nodes["value"]
    return Grown(left, right, nodes["feature_idx"].astype(np.int64), nodes["num_threshold"], value)
