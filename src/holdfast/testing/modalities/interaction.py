"""Interactions: histories aligned on the right, items and causes; further checks of recommenders."""

from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Task
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.models.base import Model
from holdfast.models.interaction.item_model import ItemModel
from holdfast.models.interaction.pair import PairModel
from holdfast.testing import histories, pairs
from holdfast.testing.interaction import check_interactions, check_items, check_same_interactions
from holdfast.testing.modality import Modality
from holdfast.testing.named_tensors import check_vectors


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

    def focused(self, model: Model, batch: Batch) -> Batch:
        """A model of pairs is asked about one candidate of each."""
        return pairs.focused(model, batch) if isinstance(model, PairModel) else batch

    def classes(self, model: Model, batch: Batch, task: Task) -> int:
        """As many as there are candidates; of a pair, as it may turn out."""
        if isinstance(model, PairModel):
            return model.classes
        return task.vocabulary if batch.candidates is None else batch.candidates.shape[1]

    def check_model(self, model: Model, batch: Batch, task: Task) -> None:
        """Of models that predict the next item: candidates, causality, and the shortcut to the last state; of
        models of pairs: the ranking, and that the history is a set without the candidate; of both, the
        vectors of items and users."""
        if isinstance(model, ItemModel):
            check_vectors(model, batch, task)
        if isinstance(model, PairModel):
            pairs.check_pairs(model, batch, task)
        else:
            histories.check_items(model, batch, task)
