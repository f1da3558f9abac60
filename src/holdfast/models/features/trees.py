"""Models that are sums of trees: scikit-learn grows them, and what they are is kept as tensors."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor, nn

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.features.tabular import ROOM, FeatureModel
from holdfast.models.features.tree_shapley import tree_shapley
from holdfast.models.features.words import Trees, mixed

NONE = -1  # in the place of a child


class Grown(NamedTuple):
    """A tree as scikit-learn has it: the children of each node (−1 at a leaf), what it asks, what a leaf adds
    to each output."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]


class TreeModel(FeatureModel):
    """Trees over the columns, which add up from ``base``. There is nothing before training: new ones say
    nothing. ``scikit-learn`` grows them on the numbers that a row is coded as, so a category is a column of
    its own there."""

    stacks = False
    smooth = False
    fits = True

    def __init__(self, task: Task, trees: int, leaves: int, outputs: int) -> None:
        super().__init__(task)
        for name, tensor in Trees.empty(trees, leaves, outputs)._asdict().items():
            self.register_parameter(name, nn.Parameter(tensor, requires_grad=False))
        self.base = nn.Parameter(torch.zeros(outputs), requires_grad=False)

    @abstractmethod
    def linked(self, total: Float[Tensor, "*N O"]) -> Float[Tensor, "*N C"]:
        """The logits that follow from what the trees add up to."""

    @abstractmethod
    def grow(
        self, rows: NDArray[np.float32], classes: NDArray[np.int64], seed: int
    ) -> tuple[Sequence[Grown], NDArray[np.float64]]:
        """The trees, and what they add up from."""

    @property
    def trees(self) -> Trees:
        """The trees as they are."""
        return Trees(*(getattr(self, name) for name in Trees._fields))

    def answers(self, rows: Float[Tensor, "N T D"], edit: Edit) -> Float[Tensor, "N C"]:
        """The logits of whole rows."""
        trees = self.trees
        return self.linked(self.base + trees.added(trees.reached(rows)))

    def expected(
        self, rows: Float[Tensor, "N T D"], mask: Bool[Tensor, "N T"], edit: Edit
    ) -> Float[Tensor, "N C"]:
        """The logits of the mean of what the trees add up to."""
        return self.linked(torch.cat([each.mean(-2) for each in self._each(rows, mask)]))

    def filled(
        self, rows: Float[Tensor, "N T D"], mask: Bool[Tensor, "N T"], edit: Edit
    ) -> Float[Tensor, "N R C"]:
        """The logits with the holes filled from each row of the background."""
        return self.linked(torch.cat(list(self._each(rows, mask))))

    def shared_out(self, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B T"]:
        """Interventional TreeSHAP; the values of each output add up to those of what is explained."""
        trees, count = self.trees, len(self.sizes)
        others = trees.by_column(self.coded(self.background))
        own = trees.by_column(self.embedded(batch)[:, :count])
        mask = batch.mask[:, :count]
        return self.of_target(tree_shapley(trees, self.width, own, others, mask), target, batch)

    def fitted(self, batch: Batch, seed: int) -> dict[str, Tensor]:
        """The tensors of the trees that scikit-learn grows."""
        assert batch.targets is not None
        places = [t * self.width + d for t, size in enumerate(self.sizes) for d in range(size)]
        rows = self.coded(batch.inputs).flatten(-2)[:, places].float().numpy()
        grown, base = self.grow(rows, batch.targets.numpy(), seed)
        trees, leaves, outputs = self.trees.value.shape
        made = Trees.empty(trees, leaves, outputs)
        for place, tree in enumerate(grown):
            plant(made, place, tree, np.array(places))
        return made._asdict() | {"base": torch.from_numpy(base).to(self.base.dtype)}

    def _each(self, rows: Float[Tensor, "N T D"], mask: Bool[Tensor, "N T"]) -> Iterator[Tensor]:
        """What the trees add up to with each row of the background behind some of the rows."""
        trees = self.trees
        others = trees.by_column(self.coded(self.background))
        for start in range(0, len(rows), each := max(1, ROOM // others[:, 0].numel())):
            some = slice(start, start + each)
            own = trees.by_column(rows[some])
            yield self.base + trees.added(mixed(own, others, mask[some]))


def plant(trees: Trees, place: int, tree: Grown, places: NDArray[np.int64]) -> None:
    """Write a tree at its place; ``places`` are where its features are in a coded row.

    >>> left, right = np.array([1, -1, -1]), np.array([2, -1, -1])
    >>> stump = Grown(left, right, np.array([0, -2, -2]), np.array([0.5, 0, 0]), np.array([[0], [1], [2]]))
    >>> made = Trees.empty(1, 2, 1)
    >>> plant(made, 0, stump, np.array([0]))
    >>> made.added(made.reached(torch.tensor([[[0.4]], [[0.6]]]))).flatten().tolist()
    [1.0, 2.0]
    """
    leaves: list[int] = []
    splits: list[int] = []
    below: dict[int, int] = {}  # the leaves under each node, as a word

    def walk(node: int) -> int:
        if tree.left[node] == NONE:
            leaves.append(node)
            below[node] = 1 << (len(leaves) - 1)
        else:
            splits.append(node)
            below[node] = walk(int(tree.left[node])) | walk(int(tree.right[node]))
        return below[node]

    whole = walk(0)
    trees.value[place, : len(leaves)] = torch.from_numpy(tree.value[leaves]).to(trees.value.dtype)
    thresholds = _rounded_down(tree.threshold[splits])
    for number, node in enumerate(splits):
        trees.feature[place, number] = int(places[tree.feature[node]])
        trees.threshold[place, number] = float(thresholds[number])
        trees.yes[place, number] = whole & ~below[int(tree.right[node])]
        trees.no[place, number] = whole & ~below[int(tree.left[node])]


def _rounded_down(threshold: NDArray[np.float64]) -> NDArray[np.float32]:
    """The largest float32 that is no larger: a row of float32 is on the same side of both."""
    near = threshold.astype(np.float32)
    return np.where(near > threshold, np.nextafter(near, np.float32(-np.inf)), near)
