"""The shallow cell, step by step."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.models.strips.shallow import Shallow
from holdfast.testing.model import check_model
from tests.models.strips.twin import SMALL, assert_twin, count, images

CELLS = [Shallow]


@pytest.mark.parametrize("stationary", [False, True])
@pytest.mark.parametrize("cell", CELLS)
def test_contract(cell, stationary):
    check_model(cell(stationary=stationary, bias=0.0001), SMALL)


@pytest.mark.parametrize("cell", CELLS)
@settings(max_examples=6, deadline=None)
@given(image=images(), seed=st.integers(0, 9))
def test_twin(cell, image, seed):
    assert_twin(cell(), image, seed)


def test_counts_of_the_document():
    assert count(Shallow(), (4, 28, 7)) == count(Shallow(), (12, 28, 7)) == 184_330
    assert count(Shallow(), (7, 28, 4)) == 162_826
    # for one step the document leaves out the recurrent input, which is 0 there
    assert count(Shallow(), (1, 28, 28)) - 256 * 256 == 269_322
