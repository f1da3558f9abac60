"""The contract's own few lines: a split is as long as its targets, and nothing half-made can be had."""

from dataclasses import FrozenInstanceError

import pytest
import torch

from holdfast.data.base import SPLITS, Dataset, Split, Task


class Three(Split):
    """Three examples of one word."""

    lengths = torch.tensor([1, 1, 1])
    targets = torch.tensor([0, 1, 0])

    def batch(self, rows, length=None):
        raise NotImplementedError


def test_a_split_is_as_long_as_its_targets():
    assert len(Three()) == 3


@pytest.mark.parametrize("cls", [Split, Dataset])
def test_the_contracts_are_abstract(cls):
    with pytest.raises(TypeError, match="abstract"):
        cls()


def test_a_task_is_frozen_and_plain_by_default():
    task = Task(9, ("no", "yes"))
    assert (task.pair, task.vectors) == (False, None)
    with pytest.raises(FrozenInstanceError):
        task.pair = True


def test_the_splits_have_their_names(planted):
    assert tuple(planted.splits) == SPLITS == ("train", "validation", "test")
