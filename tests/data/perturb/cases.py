"""Examples to perturb."""

from dataclasses import replace
from functools import cache

import torch

from holdfast.data.source import Source, load
from holdfast.data.text.dataset import TextDataset
from tests.models.features.cases import table


@cache
def texts() -> TextDataset:
    """Planted texts, whose words have made-up vectors."""
    data = load(Source("planted:train=40,validation=10,test=12"))
    assert isinstance(data, TextDataset)
    vectors = torch.randn(len(data.vocabulary), 5, generator=torch.Generator().manual_seed(0))
    vectors[:2] = 0
    return replace(data, task=replace(data.task, vectors=vectors))


@cache
def histories():
    """Planted histories, whole, so that they differ in length."""
    return load(Source("planted-plays:users=40,length=all"))


@cache
def images():
    """Digits."""
    return load(Source("digits"))


@cache
def tables():
    """Columns of numbers and of categories."""
    return table()


def batch(data, count=12):
    """The first rows to test on."""
    return data.splits["test"].batch(torch.arange(count))
