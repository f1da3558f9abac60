import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.measure.strongest import most_named, same_strongest, strongest
from tests.measure.builders import explanation, random_explanation


def naive(given_):
    """Each member's strongest position of each example, by loops."""
    places = []
    for member in given_.scores.tolist():
        own = []
        for scores, mask in zip(member, given_.mask.tolist(), strict=True):
            there = [t for t, exists in enumerate(mask) if exists]
            own.append(max(there, key=lambda t, s=scores: abs(s[t])))
        places.append(own)
    return places


@given(st.integers(2, 5), st.integers(0, 99))
def test_pairs_that_name_the_same_are_counted(members, seed):
    given_ = random_explanation(members, seed=seed)
    places = naive(given_)
    assert strongest(given_).tolist() == places
    same = [a == b for one, two in itertools.combinations(places, 2) for a, b in zip(one, two, strict=True)]
    measured = same_strongest(given_)
    assert measured.value == pytest.approx(sum(same) / len(same))
    if members > 2:
        assert 0 <= measured.low <= measured.value <= measured.high <= 1


@given(st.integers(0, 99))
def test_the_position_that_most_name(seed):
    given_ = random_explanation(7, seed=seed)
    for k in range(6):
        named = [own[k] for own in naive(given_)]
        place, count = most_named(given_, k)
        assert count == max(named.count(one) for one in named) == named.count(place)


def test_positions_are_counted_among_those_that_exist():
    scores = torch.tensor([[[0.0, 0.0, 1.0, 5.0]], [[0.0, 0.0, 1.0, 5.0]]])
    mask = torch.tensor([[False, False, True, True]])
    assert most_named(explanation(scores, mask), 0) == (1, 2)


def test_single_positions_are_left_out():
    scores = torch.tensor([[[1.0, 0.0], [1.0, 2.0]], [[1.0, 0.0], [2.0, 1.0]]])
    mask = torch.tensor([[True, False], [True, True]])
    assert same_strongest(explanation(scores, mask)).value == 0.0
    assert same_strongest(explanation(torch.ones(2, 3, 1))) is None
