"""Neighbours of one user, against loops; and that vectors which know nothing are no reason."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.splits import HELD
from holdfast.study.neighbours import (
    Who,
    agreeing,
    at_least,
    different,
    neighbourhood,
    neighbours,
    strata,
    taken,
)
from tests.examples import fewer
from tests.reference import neighbours as twin

USERS, ITEMS = 120, 30


def histories(seed=0):
    draw = torch.Generator().manual_seed(seed)
    lengths = torch.randint(5, 20, (USERS,), generator=draw)
    ids = torch.randint(1, ITEMS, (int(lengths.sum()),), generator=draw)
    return Histories(ids, torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)]))


@fewer(2)
@given(st.integers(0, 99), st.integers(1, ITEMS - 1))
def test_twin(seed, item):
    some = histories(seed)
    near = neighbours(torch.randn(4, USERS, 3, generator=torch.Generator().manual_seed(seed)), 7)
    who = Who(some, 7)
    assert 7 not in near
    found = taken(near, who, item)
    whole = [some.of(user).tolist() for user in range(USERS)]
    took, expected = twin.taken(near.tolist(), whole, HELD, who.stratum.tolist(), 7, item)
    assert found.took == pytest.approx(sum(took) / 4)
    assert found.expected == pytest.approx(sum(expected) / 4)
    assert 0 <= found.low <= found.took <= found.high <= 10


@fewer(2)
@given(st.integers(0, 9), st.integers(1, 9), st.floats(0.01, 0.99))
def test_tail(count, of, chance):
    count = min(count, of)
    assert at_least(count, of, chance) == pytest.approx(twin.at_least(count, of, chance), abs=1e-12)


def test_strata_have_the_same_size_and_order():
    sizes = torch.randperm(200)
    found = strata(sizes)
    assert found.bincount().tolist() == [20] * 10
    assert torch.equal(found, sizes // 20)
    assert not strata(torch.arange(30)).any()


def test_vectors_that_know_nothing_name_nobody_and_give_no_reason():
    some, draw, more = histories(), torch.Generator().manual_seed(3), 0
    for user in range(20):
        near = neighbours(torch.randn(5, USERS, 4, generator=draw), user)
        who = Who(some, user)
        found = neighbourhood(near, who.stratum, str)
        assert not found.named
        more += sum(taken(near, who, item, count=5).more for item in range(1, 6))
    assert more <= 2  # of a hundred


def test_neighbours_of_every_seed_are_named_and_what_they_took_is_a_reason():
    vectors = torch.randn(5, USERS, 4, generator=torch.Generator().manual_seed(4))
    vectors[:, :11] *= 0.01  # in every seed the first eleven are each other's nearest
    near, some = neighbours(vectors, 0), histories()
    found = neighbourhood(near, strata(some.lengths), str)
    assert {one.name for one in found.named} == {str(user) for user in range(1, 11)}
    assert found.overlap == 1.0
    assert different(near) == 10
    ids = some.ids.clone()
    ids[some.starts[1:11]] = ITEMS  # what nobody else took
    who = Who(Histories(ids, some.offsets), 0)
    assert taken(near, who, ITEMS).more
    ids[some.starts] = ITEMS  # what everybody took
    assert not taken(near, Who(Histories(ids, some.offsets), 0), ITEMS).more


def test_agreement_among_things_of_a_crowded_stratum_says_nothing():
    near, crowd = torch.tensor([[0, 1, 2]] * 4), torch.tensor([0, 0, 0, *[1] * 97])
    assert not agreeing(near, crowd, range(100), 100, str)  # all of the first stratum are always near
    named = agreeing(near, torch.zeros(100, dtype=torch.long), [1, 2, 50], 3, str)
    assert [(one.name, one.agree) for one in named] == [("1", 4), ("2", 4)]


def test_two_seeds_decide_nothing_and_one_has_no_overlap():
    one = torch.tensor([[1, 2]])
    assert neighbourhood(one, torch.zeros(9, dtype=torch.long), str).overlap is None
    found = taken(one, Who(histories(), 0), 3)
    assert found.low is None
    assert not found.more
