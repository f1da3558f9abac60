"""Layers by their names, and what is read of them."""

import pytest
import torch
from torch import nn

from holdfast.core.errors import BadSetting
from holdfast.models.adapters.layers import (
    as_map,
    attention_of,
    check_sums,
    embedded_as,
    embedding_name,
    layer,
    pools,
)
from tests.models.adapters.modules import Attends, Masked


def refused(call):
    with pytest.raises(BadSetting) as told:
        call()
    return str(told.value)


def test_the_embedding_is_found_where_there_is_one():
    assert embedding_name(Masked(), "") == "emb"
    assert embedding_name(Attends(), "places") == "places"
    assert refused(lambda: embedding_name(Attends(), "")) == (
        "expected the name of the layer of Attends that embeds the words, as it has 2 (words and places): "
        "say embedding=…"
    )
    assert "as it has no nn.Embedding: say" in refused(lambda: embedding_name(nn.Linear(1, 1), ""))


def test_a_layer_that_is_not_there():
    assert refused(lambda: layer(Masked(), "encoder.emb", "embedding")) == (
        "Masked has no layer 'encoder.emb' for embedding=…: its layers are emb, score, attn and out"
    )


def test_the_embedding_answers_with_what_is_given_and_then_as_before():
    module, ids = Masked(), torch.tensor([[1, 2]])
    plain, given = module.emb(ids), torch.randn(1, 2, 6)
    with embedded_as(module, "emb", given) as asked:
        assert module.emb(ids) is given
    assert torch.equal(asked[0], plain)
    assert torch.equal(module.emb(ids), plain)
    with embedded_as(module, "out", given):
        said = refused(lambda: module.out(torch.ones(1, 2, 6)))
    assert said == (
        "expected out of Masked to give a vector for each word, (1, 2, 6), but got (1, 2, 2): name the layer "
        "that embeds the words, embedding=…"
    )


def test_attention_is_what_a_layer_gives_or_the_second_thing():
    module, ids, mask = Masked(), torch.tensor([[1, 2]]), torch.ones(1, 2, dtype=torch.bool)
    with attention_of(module, "attn") as seen:
        module(ids, mask)
    assert torch.allclose(seen[0].sum(1), torch.ones(1))
    with attention_of(module, "") as nothing:
        module(ids, mask)
    assert nothing == []
    other = Attends()
    with attention_of(other, "attention") as seen:
        other(input_ids=ids, key_padding_mask=~mask)
    assert seen[0].shape == (1, 2, 2, 2)
    silent = nn.TransformerEncoderLayer(8, 2, 8, batch_first=True).train()
    with attention_of(silent, "self_attn"):
        said = refused(lambda: silent(torch.ones(1, 2, 8)))
    assert said == (
        "expected attention from self_attn of TransformerEncoderLayer, a tensor or the second of a tuple, "
        "but got NoneType: return the weights there (of nn.MultiheadAttention: need_weights=True)"
    )


def test_maps_of_every_shape():
    assert pools(torch.ones(2, 3), 2, 3, "a")
    assert not pools(torch.ones(2, 3, 3), 2, 3, "a")
    assert as_map(torch.ones(2, 3, 1), True).shape == (2, 3)
    assert as_map(torch.ones(2, 5, 3, 3), False).shape == (2, 5, 3, 3)
    assert refused(lambda: pools(torch.ones(2, 7), 2, 3, "out")) == (
        "expected attention of out of shape (texts, words) or (texts, heads, words, words), here 2 texts "
        "of 3 words, but got (2, 7): name the layer that gives the weights"
    )


@pytest.mark.parametrize("weights", [[[0.5, 0.4]], [[1.5, -0.5]]])
def test_what_is_no_distribution(weights):
    check_sums(torch.tensor([[0.25, 0.75]]), "attn")
    assert refused(lambda: check_sums(torch.tensor(weights), "attn")).startswith(
        "expected attention of attn to be weights that sum to 1 over the words, but they sum to "
    )
