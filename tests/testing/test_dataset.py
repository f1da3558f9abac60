from dataclasses import replace

import pytest
import torch

from holdfast.core.records import Batch
from holdfast.data.source import Source, load
from holdfast.data.text.dataset import TextDataset, TextSplit
from holdfast.testing.dataset import check_batches, check_composition, check_dataset, check_splits, check_text

SMALL = Source("planted:train=40,validation=10,test=20")


@pytest.fixture(scope="module")
def small() -> TextDataset:
    return load(SMALL)


def test_planted_data_keep_every_promise() -> None:
    check_dataset(load(Source()), again=lambda: load(Source()))


def test_a_target_beyond_the_classes_is_seen(small: TextDataset) -> None:
    train = replace(small.splits["train"], classes=small.splits["train"].classes + 1)
    with pytest.raises(AssertionError, match="beyond the last class"):
        check_splits(replace(small, splits={**small.splits, "train": train}))


class Leaky(TextSplit):
    def batch(self, rows: torch.Tensor, length: int | None = None) -> Batch:
        batch = super().batch(rows, length)
        return replace(batch, inputs=batch.inputs + len(rows) * batch.mask)


class Unmasked(TextSplit):
    def batch(self, rows: torch.Tensor, length: int | None = None) -> Batch:
        return replace(super().batch(rows, length), mask=torch.ones_like(super().batch(rows, length).mask))


def test_neighbours_that_matter_are_seen(small: TextDataset) -> None:
    split = small.splits["train"]
    with pytest.raises(AssertionError, match="depends on its neighbours"):
        check_composition(Leaky(split.texts, split.classes))


def test_padding_that_is_not_masked_is_seen(small: TextDataset) -> None:
    split = small.splits["train"]
    with pytest.raises(AssertionError, match="mask and lengths differ"):
        check_batches(Unmasked(split.texts, split.classes))


def test_a_missing_rationale_is_seen(small: TextDataset) -> None:
    test = replace(small.splits["test"], rationale=torch.zeros_like(small.splits["test"].rationale))
    with pytest.raises(AssertionError, match="some text has no rationale"):
        check_text(replace(small, splits={**small.splits, "test": test}))


def test_another_loading_is_seen(small: TextDataset) -> None:
    with pytest.raises(AssertionError, match="differ"):
        check_dataset(
            small, again=lambda: load(replace(SMALL, data="planted:train=40,validation=10,test=20,seed=1"))
        )
