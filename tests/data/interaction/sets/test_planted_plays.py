import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.data.source import Source, load
from holdfast.testing.dataset import check_dataset


def test_it_is_always_there() -> None:
    data = load(Source("planted-plays"))
    check_dataset(data, again=lambda: load(Source("planted-plays")))
    assert {name: len(split) for name, split in data.splits.items()} == {
        "train": 3600,
        "pairs": 1200,
        "validation": 600,
        "test": 600,
    }
    assert (data.task.vocabulary, data.task.length) == (141, 12)
    rows = torch.arange(600)
    assert data.splits["test"].batch(rows).candidates.shape == (600, 101)
    for name in ("validation", "test"):
        assert bool((data.splits[name].truth(rows).sum(1) == 1).all())


def test_the_truth_follows_the_item_that_is_asked_for() -> None:
    usual, other = load(Source("planted-plays")), load(Source("planted-plays:holdout=validation"))
    rows = torch.arange(600)
    assert torch.equal(other.splits["test"].truth(rows), usual.splits["validation"].truth(rows))
    check_dataset(other)


def test_other_sizes() -> None:
    data = load(Source("planted-plays:users=30,items=200,seed=4"))
    assert data.name == "planted-plays:users=30,items=200,seed=4"
    assert (len(data.users), len(data.items)) == (30, 200)
    with pytest.raises(BadSetting, match=r"^planted-plays: expected users to be 2 or more"):
        load(Source("planted-plays:users=1"))
