"""Convolutions, against ``torch.nn.functional.conv1d``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.models.text.cnn import Cnn
from holdfast.testing.model import check_model
from tests.models.text.twin import PAIR, TWO, assert_states, assert_twin, texts

SMALL = Cnn(dim=4, filters=3)


def test_contract():
    check_model(SMALL, TWO)


def test_contract_of_pairs_with_dropout():
    check_model(Cnn(dim=4, filters=3, dropout=0.5, attention="dot"), PAIR)


@pytest.mark.parametrize("attention", ["additive", "dot"])
@given(text=texts(), seed=st.integers(0, 9))
def test_twin(attention, text, seed):
    assert_twin(Cnn(dim=4, filters=3, attention=attention), text, seed)


def test_states():
    assert_states(SMALL)


def test_sizes_of_the_document():
    model = Cnn().build(TWO)
    assert model.encoder.width == 128
    assert model.embedding.weight.shape == (12, 100)
    assert model.pool.states.weight.shape == (64, 128)
    assert model.head.weight.shape == (1, 128)


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^cnn: expected filters to be at least 1, but got 0$"):
        Cnn(filters=0)


@pytest.mark.parametrize("kernels", [(2, 3), (), (0,), (10**9 + 1,)])
def test_bad_kernels(kernels):
    with pytest.raises(
        BadSetting, match=r"^cnn: expected kernels to be odd widths below 1,000 such as 1\+3\+5, but got \("
    ):
        Cnn(kernels=kernels)


@given(text=texts(), kernels=st.lists(st.sampled_from([1, 3, 5, 7, 9]), min_size=1, max_size=3))
def test_any_kernels(text, kernels):
    assert_twin(Cnn(dim=4, filters=2, kernels=tuple(kernels)), text, 0)
