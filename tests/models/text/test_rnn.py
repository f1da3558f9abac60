"""The plain recurrent network, step by step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.models.text.rnn import Rnn
from holdfast.testing.model import check_model
from tests.models.text.twin import PAIR, TWO, assert_states, assert_twin, texts

SMALL = Rnn(dim=4, hidden=6)


def test_contract():
    check_model(SMALL, TWO)


def test_contract_of_pairs_with_dropout():
    check_model(Rnn(dim=4, hidden=6, dropout=0.5, attention="dot"), PAIR)


@pytest.mark.parametrize("attention", ["additive", "dot"])
@given(text=texts(), seed=st.integers(0, 9))
def test_twin(attention, text, seed):
    assert_twin(Rnn(dim=4, hidden=6, attention=attention), text, seed)


def test_states():
    assert_states(SMALL)


def test_sizes_of_the_document():
    model = Rnn().build(TWO)
    assert model.encoder.width == 128
    assert model.embedding.weight.shape == (12, 100)
    assert model.pool.states.weight.shape == (64, 128)
    assert model.head.weight.shape == (1, 128)


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^rnn: expected hidden to be at least 1, but got 0$"):
        Rnn(hidden=0)
