"""The deep cells, step by step."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.models.strips.deep import Deep, DeepV2
from holdfast.testing.model import check_model
from tests.models.strips.twin import SMALL, assert_twin, count, images

CELLS = [Deep, DeepV2]


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
    assert count(Deep(), (4, 28, 7)) == count(Deep(), (12, 28, 7)) == 153_578
    assert count(Deep(), (7, 28, 4)) == 132_074
    # for one step the document leaves out the recurrent input, which is 0 there
    assert count(Deep(), (1, 28, 28)) - 256 * 128 == 271_338
    assert count(DeepV2(), (12, 28, 7)) == 161_386
