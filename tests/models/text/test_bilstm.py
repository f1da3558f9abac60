"""The long short-term memory, against ``torch.nn.LSTM``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.models.text.bilstm import Bilstm
from holdfast.testing.model import check_model
from tests.models.text.twin import PAIR, TWO, assert_states, assert_twin, texts

SMALL = Bilstm(dim=4, hidden=5)


def test_contract():
    check_model(SMALL, TWO)


def test_contract_of_pairs_with_dropout():
    check_model(Bilstm(dim=4, hidden=5, dropout=0.5, attention="dot"), PAIR)


@pytest.mark.parametrize("attention", ["additive", "dot"])
@given(text=texts(), seed=st.integers(0, 9))
def test_twin(attention, text, seed):
    assert_twin(Bilstm(dim=4, hidden=5, attention=attention), text, seed)


def test_states():
    assert_states(SMALL)


def test_sizes_of_the_document():
    model = Bilstm().build(TWO)
    assert model.encoder.width == 256
    assert model.embedding.weight.shape == (12, 100)
    assert model.pool.states.weight.shape == (128, 256)
    assert model.head.weight.shape == (1, 256)


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^bilstm: expected hidden to be at least 1, but got 0$"):
        Bilstm(hidden=0)
