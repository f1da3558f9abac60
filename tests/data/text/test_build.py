from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.text.build import Limits, build
from holdfast.data.text.corpus import Corpus, Part


def corpus(train: Part, test: Part | None = None) -> Corpus:
    other = test or Part(["good film", "a bad day"], [1, 0])
    return Corpus("tiny", ("bad", "good"), {"train": train, "validation": other, "test": other})


TRAIN = Part(["a good good film", "bad bad film", "one two three four five", "bad"], [1, 0, 0, 0])


def test_words_are_counted_in_training_texts_only() -> None:
    data = build(corpus(TRAIN), Limits(min_count=2))
    assert data.vocabulary.words == ("<pad>", "<unk>", "bad", "film", "good")
    assert data.tokens("test", 1) == ["a", "bad", "day"]
    assert data.splits["test"].batch(torch.tensor([1])).inputs.tolist() == [[1, 2, 1]]
    assert build(corpus(TRAIN), Limits(max_words=1)).vocabulary.words == ("<pad>", "<unk>", "bad")


def test_every_word_has_a_number_where_that_is_wanted() -> None:
    data = build(corpus(TRAIN), Limits(min_count=2, max_words=1, every_word=True))
    assert {"bad", "one", "day"} < set(data.vocabulary.words)
    assert not any(data.unknown(data.tokens("test", 1)))
    assert data.task.words == data.vocabulary.words


def test_long_texts_are_cut_with_a_note() -> None:
    marks = [[True, False, False, False], [True, False, False], [False] * 4 + [True], [True]]
    data = build(corpus(Part(TRAIN.texts, TRAIN.targets, rationales=marks)), Limits(max_length=3))
    assert data.splits["train"].lengths.tolist() == [3, 3, 3, 1]
    assert data.splits["train"].truncated == 2
    assert data.splits["train"].rationale.tolist() == [
        True,
        False,
        False,
        True,
        False,
        False,
        False,
        False,
        False,
        True,
    ]
    assert "2 of 8 texts were cut to their first 3 tokens." in data.notes


def test_a_million_characters_are_cut() -> None:
    data = build(corpus(Part(["x" * 1_000_000, "good " * 200_000], [0, 1])))
    assert data.splits["train"].lengths.tolist() == [256, 256]
    assert "2 of 6 texts were cut to their first 256 tokens." in data.notes


def test_shared_texts_are_noted() -> None:
    data = build(corpus(TRAIN, Part(["bad", "fine"], [0, 1])))
    assert data.notes == ("1 of 2 test texts also occur in the training texts.",)


def test_limit() -> None:
    data = build(corpus(TRAIN), Limits(limit=2))
    assert sorted(data.splits["train"].targets.tolist()) == [0, 1]
    assert "Only 2 of 4 training texts are used (--limit)." in data.notes
    three = Corpus("tiny", ("a", "b", "c"), corpus(TRAIN).parts)
    with pytest.raises(
        BadSetting, match=r"^expected limit to be at least the number of classes \(3\), but got 2$"
    ):
        build(three, Limits(limit=2))


def test_words_with_a_vector_are_known_without_training() -> None:
    def vectors(words: Sequence[str]) -> Tensor:
        return torch.tensor([[1.0, 2.0] if word in ("day", "bad", "<unk>") else [0.0, 0.0] for word in words])

    data = build(corpus(TRAIN, Part(["a bad day", "unheard"], [0, 1])), vectors=vectors)
    assert data.vocabulary.words[-1] == "day"
    assert len(data.task.vectors) == len(data.vocabulary)
    assert data.task.vectors[data.vocabulary.index["bad"]].tolist() == [1.0, 2.0]
    assert not data.task.vectors[:2].any()
    assert data.notes[-1] == (
        "20% of the words and 50% of the test tokens have a pre-trained vector; "
        "the others start from random ones, drawn per seed."
    )


def test_a_text_without_words_is_refused() -> None:
    with pytest.raises(BadData, match=r"^expected every text .* but the one in row 2 has none$"):
        build(corpus(Part(["a", " "], [0, 1])))
