"""Tables: columns with their values; numbers and categories in a batch."""

import torch

from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Task
from holdfast.data.features.dataset import FeatureDataset
from holdfast.testing.features import check_same_tables, check_table
from holdfast.testing.modality import Modality
from holdfast.testing.splits import holed


class Features(Modality):
    """Checks of data sets of features."""

    def check(self, dataset: Dataset) -> None:
        """Columns, the background, and what is drawn anew."""
        check_table(FeatureDataset.narrow(dataset))

    def check_same(self, one: Dataset, other: Dataset) -> None:
        """Columns and background too."""
        check_same_tables(FeatureDataset.narrow(one), FeatureDataset.narrow(other))

    def example(self, task: Task, length: int, seed: int) -> Batch:
        """As many columns as the task has, each with a number or a category."""
        assert task.columns is not None, "expected a task of features, with columns"
        draw = torch.Generator().manual_seed(seed)
        columns = [
            torch.randn(5, generator=draw, dtype=torch.float64)
            if size == 1
            else torch.randint(size, (5,), generator=draw).double()
            for size in task.columns.sizes
        ]
        targets = torch.randint(len(task.classes), (5,), generator=draw)
        return Batch(torch.stack(columns, 1), holed(len(columns)), targets, rows=torch.arange(5))
