"""What the contract suites ask of one modality, beside what they ask of all."""

from abc import ABC, abstractmethod

from holdfast.core.modality import modality_of
from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Kind, Task
from holdfast.models.base import Model
from holdfast.testing.splits import check_batches, check_padding, check_splits


class Modality(ABC):
    """The checks of one modality; the splits have classes unless a modality overrides that."""

    def check_splits(self, dataset: Dataset) -> None:
        """What splits and batches of every data set of this modality have in common."""
        check_splits(dataset)
        for split in dataset.splits.values():
            check_batches(split, pair=dataset.task.pair)
            check_padding(split)

    @abstractmethod
    def check(self, dataset: Dataset) -> None:
        """What else a data set of this modality must keep."""

    @abstractmethod
    def check_same(self, one: Dataset, other: Dataset) -> None:
        """Two data sets are equal in what only this modality has."""

    @abstractmethod
    def example(self, task: Task, length: int, seed: int) -> Batch:
        """Five examples: full, shorter, with a hole, of one position, and empty."""

    def focused(self, model: Model, batch: Batch) -> Batch:
        """The examples as this model is asked about them."""
        return batch

    def classes(self, model: Model, batch: Batch, task: Task) -> int:
        """How many logits an example has."""
        return len(task.classes)

    def check_model(self, model: Model, batch: Batch, task: Task) -> None:
        """What a model of this modality must keep, beside what every model must."""
        return


def modality(kind: Kind) -> Modality:
    """The modality of this name."""
    return modality_of(Modality, kind)  # type: ignore[no-any-return]
