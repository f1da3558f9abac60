"""The published files themselves; skipped unless ``HOLDFAST_DATA`` names a folder that has them."""

import os
import time

import pytest
import torch

from holdfast.core.records import Member
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.source import Source, available, load
from holdfast.testing.dataset import check_dataset

FOLDER = os.environ.get("HOLDFAST_REAL_DATA")  # what HOLDFAST_DATA named when the tests were started

pytestmark = [pytest.mark.slow, pytest.mark.skipif(FOLDER is None, reason="HOLDFAST_DATA is not set")]


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_DATA", FOLDER)


SIZES = {
    "sst2": ([3310, 3610], [428, 444], [912, 909]),
    "rotten-tomatoes": ([4265, 4265], [533, 533], [533, 533]),
    "tweeteval/emotion": ([1400, 708, 294, 855], [160, 97, 28, 89], [558, 358, 123, 382]),
    "imdb": ([11250, 11250], [1250, 1250], [12500, 12500]),
    "snli": ([6015, 5899, 6086], [3329, 3235, 3278], [3368, 3219, 3237]),
}
SECONDS = {"imdb": 60}
STRIPS = {
    "mnist:steps=7": ("mnist", [59_000, 1000, 10_000], (7, 28, 4)),
    "mnist-maj:folds=7": ("mnist", [66_997, 1000, 2000], (12, 28, 7)),
    "fashion-mnist": ("fashion-mnist", [59_000, 1000, 10_000], (4, 28, 7)),
    "fashion-maj:limit=5000": ("fashion-mnist", [5000, 1000, 10_000], (12, 28, 7)),
}
PLAYS = {
    "ml-1m": (6040, 3416, 999_611, 30_200),
    "ml-1m:filter=none,length=all,samples=1,candidates=99": (6040, 3706, 1_000_209, 6040),
    "ml-100k:holdout=validation": (943, 1349, 99_287, 4715),
    # of 31,013 users and 287,107 interactions: 112 users have one or two interactions
    "amazon-games": (30_901, 23_715, 286_913, 30_629),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_and_promises(name: str) -> None:
    if not {line.name: line.ready for line in available()}[name]:
        pytest.skip(f"{name} is not there")
    start = time.process_time()
    data = load(Source(name, vectors="glove-100d"))
    assert time.process_time() - start < SECONDS.get(name, 20)
    counts = [data.splits[split].targets.bincount().tolist() for split in ("train", "validation", "test")]
    assert tuple(counts) == SIZES[name]
    check_dataset(data)


@pytest.mark.parametrize("text", STRIPS)
def test_strips(text: str) -> None:
    name, sizes, strip = STRIPS[text]
    if not {line.name: line.ready for line in available()}[name]:
        pytest.skip(f"{name} is not there")
    start = time.process_time()
    data = load(Source(text))
    assert time.process_time() - start < 20
    assert [len(data.splits[split]) for split in ("train", "validation", "test")] == sizes
    assert data.task.strip == strip
    check_dataset(data)


def test_times_of_ml_100k_leave_the_last_item_open() -> None:
    if not {line.name: line.ready for line in available()}["ml-100k"]:
        pytest.skip("ml-100k is not there")
    said = "The last two interactions of 416 of 943 users (44 %) share a time"
    assert any(note.startswith(said) for note in load(Source("ml-100k")).notes)


def check_whole_histories(data: InteractionDataset) -> None:
    """As the document has them (Jain, Table 3.1), and cheap enough to train on."""
    assert data.task.length == 2314
    assert data.splits["test"].batch(torch.tensor([0])).candidates.shape == (1, 100)
    assert data.titles is not None
    assert sum(bool(title) for title in data.titles) == 3706
    assert data.known_ages().bincount()[[1, 18, 25, 35, 45, 50, 56]].tolist() == [
        222,
        1103,
        2096,
        1193,
        550,
        496,
        380,
    ]
    start, split = time.perf_counter(), data.splits["pairs"]
    assert len(split) == 64_709
    drawn = split.negatives(Member(0), 1, 4, torch.device("cpu"))
    assert time.perf_counter() - start < 10
    assert drawn.shape == (64_709, 16, 4)


def test_ratings_of_ml_100k() -> None:
    if not {line.name: line.ready for line in available()}["ml-100k"]:
        pytest.skip("ml-100k is not there")
    data = load(Source("ml-100k:filter=none"))
    assert (len(data.users), len(data.items), len(data.histories.ids)) == (943, 1682, 100_000)
    assert data.task.rated
    assert data.histories.ratings.long().bincount()[1:].tolist() == [6110, 11_370, 27_145, 34_174, 21_201]
    assert int((data.known_ages() == 56).sum()) == 52


@pytest.mark.parametrize("text", PLAYS)
def test_interactions(text: str) -> None:
    if not {line.name: line.ready for line in available()}[text.partition(":")[0]]:
        pytest.skip(f"{text} is not there")
    start = time.process_time()
    data = load(Source(text))
    assert time.process_time() - start < 20
    users, items, interactions = len(data.users), len(data.items), len(data.histories.ids)
    assert (users, items, interactions, len(data.splits["train"])) == PLAYS[text]
    if text.startswith("ml-1m:"):
        check_whole_histories(data)
        return
    if text == "amazon-games":
        assert "There are 31,013 users, 23,715 items and 287,107 interactions." in data.notes
    check_dataset(data)
