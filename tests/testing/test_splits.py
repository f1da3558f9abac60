from dataclasses import replace

import pytest
import torch

from holdfast.core.records import Batch
from holdfast.data.source import Source, load
from holdfast.data.text.dataset import TextDataset, TextSplit
from holdfast.testing.splits import check_batches, check_splits

SMALL = Source("planted:train=40,validation=10,test=20")


@pytest.fixture(scope="module")
def small() -> TextDataset:
    return load(SMALL)


def test_a_target_beyond_the_classes_is_seen(small: TextDataset) -> None:
    train = replace(small.splits["train"], classes=small.splits["train"].classes + 1)
    with pytest.raises(AssertionError, match="beyond the last class"):
        check_splits(replace(small, splits={**small.splits, "train": train}))


class Unmasked(TextSplit):
    def batch(self, rows: torch.Tensor, length: int | None = None) -> Batch:
        return replace(super().batch(rows, length), mask=torch.ones_like(super().batch(rows, length).mask))


def test_padding_that_is_not_masked_is_seen(small: TextDataset) -> None:
    split = small.splits["train"]
    with pytest.raises(AssertionError, match="mask and lengths differ"):
        check_batches(Unmasked(split.texts, split.classes))
