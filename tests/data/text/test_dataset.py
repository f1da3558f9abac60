from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData, BadRun
from holdfast.core.files import write_tensors
from holdfast.data.text.build import Limits, build
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.dataset import TextDataset
from holdfast.testing.dataset import check_dataset, check_same

PAIRS = Part(["a man runs", "two dogs"], [0, 1], queries=["a person", "zebras everywhere today"])
TRAIN = Part(["a man runs", "two dogs sleep"], [0, 1], queries=["a person moves", "cats"])
CORPUS = Corpus(
    "pairs", ("yes", "no\nreally"), {"train": TRAIN, "validation": PAIRS, "test": PAIRS}, ("Böse – note.",)
)


@pytest.fixture
def pairs() -> TextDataset:
    return build(CORPUS, Limits(max_length=2))


def second(data: TextDataset) -> list[str]:
    """The second text of the second test pair."""
    return data.splits["test"].queries.words(1, data.vocabulary)


def test_a_pair_batch(pairs: TextDataset) -> None:
    batch = pairs.splits["test"].batch(torch.tensor([1, 0]))
    assert batch.inputs.shape == batch.query.shape == (2, 2)
    assert batch.targets.tolist() == [1, 0]
    assert pairs.task.pair
    assert second(pairs) == ["zebras", "everywhere"]
    assert pairs.splits["test"].truncated == 2
    assert pairs.splits["test"].truth(torch.tensor([0])) is None


def test_round_trip_of_everything(pairs: TextDataset, tmp_path: Path) -> None:
    check_dataset_parts = pairs.save(tmp_path / "data.safetensors")
    loaded = TextDataset.load(tmp_path / "data.safetensors")
    check_same(pairs, loaded)
    assert loaded.task.classes == ("yes", "no\nreally")
    assert loaded.save(tmp_path / "again.safetensors") == check_dataset_parts
    assert second(loaded) == ["zebras", "everywhere"]


def test_vectors_are_saved_bit_for_bit(tmp_path: Path) -> None:
    data = build(
        CORPUS, vectors=lambda words: torch.rand(len(words), 3, generator=torch.Generator().manual_seed(0))
    )
    data.save(tmp_path / "data.safetensors")
    assert torch.equal(TextDataset.load(tmp_path / "data.safetensors").task.vectors, data.task.vectors)


def test_read_new_texts(pairs: TextDataset) -> None:
    batch = pairs.read(["A man, sleeping", "dogs"], ["cats", "x y z"])
    assert pairs.vocabulary.words[batch.inputs[0, 0]] == "a"
    assert batch.mask.tolist() == [[True, True], [True, False]]
    assert batch.targets is None
    assert batch.query_mask.tolist() == [[True, False], [True, True]]


def test_read_an_empty_text(pairs: TextDataset) -> None:
    with pytest.raises(BadData, match=r"^expected a text with at least one word, but got an empty one$"):
        pairs.read(["  "])


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.safetensors"
    write_tensors(path, {"about": torch.zeros(3, dtype=torch.uint8)})
    with pytest.raises(BadRun, match=r"is not a data set that Holdfast saved: start over with --fresh$"):
        TextDataset.load(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(BadRun, match="is not a readable safetensors file"):
        TextDataset.load(path)


def test_the_suite_sees_that_texts_are_shared(pairs: TextDataset) -> None:
    shared = Corpus(
        "same", ("a", "b"), dict.fromkeys(("train", "validation", "test"), Part(["x", "y"], [0, 1]))
    )
    with pytest.raises(AssertionError, match="most test texts are training texts"):
        check_dataset(build(shared))


def test_new_words_come_after_all_others(pairs: TextDataset) -> None:
    known = pairs.vocabulary.words
    more = pairs.with_words(["zebra", known[2], "aardvark", "zebra"])
    assert more.vocabulary.words == (*known, "aardvark", "zebra")
    assert (more.task.vocabulary, more.task.words) == (len(known) + 2, more.vocabulary.words)
    assert more.unknown(["zebra", "quagga"]) == (False, True)
    assert pairs.vocabulary.words == known
