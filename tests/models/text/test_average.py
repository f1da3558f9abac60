"""Words by themselves."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.models.text.average import Average
from holdfast.testing.model import build, check_model
from tests.models.text.twin import PAIR, TWO, assert_states, assert_twin, texts

SMALL = Average(dim=4, hidden=6)


def test_contract():
    check_model(SMALL, TWO)


def test_contract_of_pairs_with_dropout():
    check_model(Average(dim=4, hidden=6, dropout=0.5, attention="dot"), PAIR)


@pytest.mark.parametrize("attention", ["additive", "dot"])
@given(text=texts(), seed=st.integers(0, 9))
def test_twin(attention, text, seed):
    assert_twin(Average(dim=4, hidden=6, attention=attention), text, seed)


def test_states():
    assert_states(SMALL)


def test_sizes_of_the_document():
    model = Average().build(TWO)
    assert model.encoder.width == 128
    assert model.embedding.weight.shape == (12, 100)
    assert model.pool.states.weight.shape == (64, 128)
    assert model.head.weight.shape == (1, 128)


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^average: expected hidden to be at least 1, but got 0$"):
        Average(hidden=0)


def test_a_hole_is_a_deletion():
    model = build(SMALL, TWO)
    words = torch.tensor([[3, 1, 4, 5]])
    holed = model(Batch(words, torch.tensor([[True, False, True, True]]))).logits
    shorter = model(Batch(words[:, [0, 2, 3]], torch.ones(1, 3).bool())).logits
    torch.testing.assert_close(holed, shorter)
