"""The word pieces of a vocabulary's words."""

import torch

from holdfast.models.adapters.checkpoint import read
from holdfast.models.adapters.pieces import MOST, pieces_of
from tests.reference.bert import cut

WORDS = ("<pad>", "<unk>", "good", "films", "cab", "abcdefghijklm", "é", "\u200d")


def test_words_are_cut_as_the_tokenizer_does(checkpoint):
    tokenizer = read(checkpoint).tokenizer
    pieces = pieces_of(tokenizer, WORDS)
    wanted = cut(tokenizer, list(WORDS[2:]))
    for word, own in enumerate(wanted, 2):
        assert pieces.ids[word, : pieces.counts[word]].tolist() == (own or [tokenizer.unk_token_id])
    assert pieces.counts.tolist() == [0, 1, 1, 2, 3, MOST, 1, 1]
    assert pieces.ids[1, 0] == tokenizer.unk_token_id
    assert (pieces.first, pieces.last) == (tokenizer.cls_token_id, tokenizer.sep_token_id)


def test_holes_have_no_pieces(checkpoint):
    pieces = pieces_of(read(checkpoint).tokenizer, WORDS)
    ids, counts = pieces.of(torch.tensor([[3, 4]]), torch.tensor([[True, False]]))
    assert counts.tolist() == [[2, 0]]
    assert not ids[0, 1].any()


def test_they_are_made_with_numbers_where_models_are_built_without(checkpoint):
    with torch.device("meta"):
        pieces = pieces_of(read(checkpoint).tokenizer, ("<pad>", "<unk>", "x"))
    assert pieces.ids.device.type == "cpu"
