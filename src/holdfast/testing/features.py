"""What every data set of features must keep."""

import torch

from holdfast.core.records import Member
from holdfast.data.features.dataset import FeatureDataset


def check_table(dataset: FeatureDataset) -> None:
    """Numbers of mean 0 among the training rows, categories that exist, a background of training rows, and
    draws of a member's own.

    >>> from holdfast.data.source import Source, load
    >>> check_table(load(Source("breast-cancer")))
    """
    columns, train = dataset.task.columns, dataset.splits["train"]
    assert columns is not None, "the task has no columns"
    assert len(columns) == len(dataset.columns) == train.values.shape[1], "columns are not as many as values"
    assert len({column.name for column in dataset.columns}) == len(columns), "two columns have one name"
    for place, column in enumerate(dataset.columns):
        values = train.values[:, place]
        if column.categories:
            assert int(values.max()) < column.size, f"{column.name} has a category that is not known"
            assert bool((values == values.round()).all()), f"{column.name} has half a category"
        else:
            assert abs(float(values.mean())) < 1e-3, f"{column.name} has not the mean 0"
    known = {tuple(row) for row in train.values.tolist()}
    assert all(tuple(row) in known for row in columns.background.tolist()), "the background is of other rows"
    for split in dataset.splits.values():
        assert bool(split.values.isfinite().all()), "a value is not finite"
    drawn, other = (train.trains(Member(seed)) for seed in (0, 1))
    if drawn is not None and other is not None:
        assert len(drawn) == len(train), "a member draws more or fewer rows than there are"
        assert not torch.equal(drawn, other), "two members draw the same rows"


def check_same_tables(one: FeatureDataset, other: FeatureDataset) -> None:
    """Two data sets have the same columns and background."""
    assert one.columns == other.columns, "columns differ"
    assert one.task.columns is not None, "the task has no columns"
    assert other.task.columns is not None, "the task has no columns"
    for name in ("background", "shares"):
        same = torch.equal(getattr(one.task.columns, name), getattr(other.task.columns, name))
        assert same, f"the {name} differs"
