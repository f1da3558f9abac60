"""Interactions: histories aligned on the right, items and causes; further checks of recommenders."""

from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Task
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.models.base import Model
from holdfast.testing import histories
from holdfast.testing.interaction import check_interactions, check_items, check_same_interactions
from holdfast.testing.modality import Modality


class Interaction(Modality):
    """Checks of interaction data sets and recommenders."""

    def check_splits(self, dataset: Dataset) -> None:
        """There are no classes, and histories end in the last position."""
        check_items(dataset)

    def check(self, dataset: Dataset) -> None:
        """Names, windows, what is held out, and causes."""
        check_interactions(InteractionDataset.narrow(dataset))

    def check_same(self, one: Dataset, other: Dataset) -> None:
        """Names too."""
        check_same_interactions(InteractionDataset.narrow(one), InteractionDataset.narrow(other))

    def example(self, task: Task, length: int, seed: int) -> Batch:
        """Histories with candidates, as long as the task allows."""
        assert task.length is not None, "expected a task of items, with a length"
        return histories.histories(task, min(length, task.length - histories.PADDING), seed)

    def check_model(self, model: Model, batch: Batch, task: Task) -> None:
        """Candidates, causality, and the shortcut to the last state."""
        histories.check_items(model, batch, task)
