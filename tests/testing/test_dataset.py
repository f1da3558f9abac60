from dataclasses import replace

import pytest
import torch

from holdfast.core.records import Batch
from holdfast.data.source import Source, load
from holdfast.data.text.dataset import TextDataset, TextSplit
from holdfast.testing.dataset import check_composition, check_dataset

SMALL = Source("planted:train=40,validation=10,test=20")


@pytest.fixture(scope="module")
def small() -> TextDataset:
    return load(SMALL)


def test_planted_data_keep_every_promise() -> None:
    check_dataset(load(Source()), again=lambda: load(Source()))


class Leaky(TextSplit):
    def batch(self, rows: torch.Tensor, length: int | None = None) -> Batch:
        batch = super().batch(rows, length)
        return replace(batch, inputs=batch.inputs + len(rows) * batch.mask)


def test_neighbours_that_matter_are_seen(small: TextDataset) -> None:
    split = small.splits["train"]
    with pytest.raises(AssertionError, match="depends on its neighbours"):
        check_composition(Leaky(split.texts, split.classes))


def test_another_loading_is_seen(small: TextDataset) -> None:
    with pytest.raises(AssertionError, match="differ"):
        check_dataset(
            small, again=lambda: load(replace(SMALL, data="planted:train=40,validation=10,test=20,seed=1"))
        )
