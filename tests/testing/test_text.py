from dataclasses import replace

import pytest
import torch

from holdfast.data.source import Source, load
from holdfast.data.text.dataset import TextDataset
from holdfast.testing.text import check_text

SMALL = Source("planted:train=40,validation=10,test=20")


@pytest.fixture(scope="module")
def small() -> TextDataset:
    return load(SMALL)


def test_a_missing_rationale_is_seen(small: TextDataset) -> None:
    test = replace(small.splits["test"], rationale=torch.zeros_like(small.splits["test"].rationale))
    with pytest.raises(AssertionError, match="some text has no rationale"):
        check_text(replace(small, splits={**small.splits, "test": test}))
