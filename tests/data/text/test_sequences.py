import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.text.sequences import Sequences
from holdfast.data.text.vocabulary import Vocabulary
from tests.reference import text as reference


def sequences(texts: list[list[int]]) -> Sequences:
    ids = torch.tensor([i for text in texts for i in text], dtype=torch.int32)
    return Sequences(ids, torch.tensor([0, *map(len, texts)]).cumsum(0))


@given(st.lists(st.lists(st.integers(1, 99), min_size=1, max_size=7), min_size=1, max_size=6), st.data())
def test_pad_is_the_naive_pad(texts: list[list[int]], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=1, max_size=8))
    longest = max(len(texts[row]) for row in rows)
    length = data.draw(st.one_of(st.none(), st.integers(longest, longest + 3)))
    ids, mask = sequences(texts).pad(torch.tensor(rows), length)
    assert (ids.tolist(), mask.tolist()) == reference.pad(texts, rows, length or longest)
    assert (ids.dtype, mask.dtype) == (torch.long, torch.bool)


def test_rows_may_have_a_member_axis() -> None:
    ids, mask = sequences([[5], [6, 7]]).pad(torch.tensor([[0, 1], [1, 1]]))
    assert ids.tolist() == [[[5, 0], [6, 7]], [[6, 7], [6, 7]]]
    assert mask.shape == (2, 2, 2)


def test_a_length_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^expected a length of at least 2, but got 1$"):
        sequences([[5], [6, 7]]).pad(torch.tensor([1]), 1)


def test_unknown_words_are_shown_as_they_were() -> None:
    words = Vocabulary(("<pad>", "<unk>", "good"))
    texts = Sequences(torch.tensor([1, 2, 1, 1, 2]), torch.tensor([0, 2, 3, 5]), ("zany", "odd", "wry"))
    assert [texts.words(row, words) for row in range(3)] == [["zany", "good"], ["odd"], ["wry", "good"]]
