"""The published files themselves; skipped unless ``HOLDFAST_DATA`` names a folder that has them."""

import os
import time

import pytest

from holdfast.data.sources import TextSource, available, load
from holdfast.testing.dataset import check_dataset

pytestmark = pytest.mark.skipif("HOLDFAST_DATA" not in os.environ, reason="HOLDFAST_DATA is not set")

SIZES = {
    "sst2": ([3310, 3610], [428, 444], [912, 909]),
    "rotten-tomatoes": ([4265, 4265], [533, 533], [533, 533]),
    "tweeteval/emotion": ([1400, 708, 294, 855], [160, 97, 28, 89], [558, 358, 123, 382]),
    "imdb": ([11250, 11250], [1250, 1250], [12500, 12500]),
    "snli": ([6015, 5899, 6086], [3329, 3235, 3278], [3368, 3219, 3237]),
}
SECONDS = {"imdb": 60}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_and_promises(name: str) -> None:
    if not {line.name: line.ready for line in available()}[name]:
        pytest.skip(f"{name} is not there")
    start = time.perf_counter()
    data = load(TextSource(name, vectors="glove-100d"))
    assert time.perf_counter() - start < SECONDS.get(name, 20)
    counts = [data.splits[split].targets.bincount().tolist() for split in ("train", "validation", "test")]
    assert tuple(counts) == SIZES[name]
    check_dataset(data)
