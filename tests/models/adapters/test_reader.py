"""Running a checkpoint's layers over words."""

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.models.adapters import reader as module
from holdfast.models.adapters.checkpoint import read
from holdfast.models.adapters.reader import Reader, Reading, reader, rows_of

LIKE = torch.zeros((), dtype=torch.float64)


def rows(lengths, width=16):
    """Texts of words of one piece each."""
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    pieces = torch.randn(*mask.shape, 1, width).double()
    return rows_of(pieces, mask.long(), mask, torch.randn(2, width).double())


def test_texts_together_are_read_as_each_alone(checkpoint):
    some, own = rows([5, 2, 0]), reader(checkpoint, "", LIKE)
    together = own.read(some, {}, maps=True)
    for one, row in zip(together, some, strict=True):
        (alone,) = own.read([row], {}, maps=True)
        torch.testing.assert_close(one.states, alone.states)
        torch.testing.assert_close(one.maps, alone.maps)


def test_a_hole_takes_one_place_and_nothing_moves_up():
    counts, mask = torch.tensor([[2, 3, 1, 1]]), torch.tensor([[True, False, True, False]])
    (row,) = rows_of(torch.ones(1, 4, 3, 5), counts * mask, mask, torch.zeros(2, 5))
    assert row.place.tolist() == [0, 1, 2, 4, 5]
    assert row.word.tolist() == [2, 0, 0, 1, 3]


def test_too_long_a_text_is_refused(checkpoint):
    with pytest.raises(BadData) as caught:
        reader(checkpoint, "", LIKE).read(rows([255]), {}, maps=False)
    assert str(caught.value) == (
        "expected texts of at most 256 word pieces, as the checkpoint reads, but got one of 257: "
        "shorten them with --max-length"
    )


def test_a_back_end_without_attention_is_refused(checkpoint):
    own = Reader(read(checkpoint).encoder)
    own.encoder = type(own.encoder)._from_config(own.encoder.config, attn_implementation="sdpa").double()
    with pytest.raises(BadSetting, match=r"^expected the attention of 2 layers from transformers, but "):
        own.read(rows([3]), {}, maps=False)


def test_what_was_not_asked_for_the_longest_goes_first(checkpoint, monkeypatch):
    own = Reader(read(checkpoint).encoder)
    one = Reading(torch.zeros(4, 16), None)
    monkeypatch.setattr(module, "HELD", 2 * 4 * 16 * 4)
    own.keep(b"a", one)
    own.keep(b"b", one)
    assert own.recall(b"a", maps=False) is one
    assert own.recall(b"a", maps=True) is None
    own.keep(b"a", one)
    own.keep(b"c", one)
    assert list(own.held) == [b"a", b"c"]
    assert own.size == 2 * 4 * 16 * 4
