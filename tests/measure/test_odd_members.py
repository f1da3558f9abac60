import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import Member
from holdfast.measure.odd_members import groups_of
from tests.measure.scales import scale
from tests.reference import hold as reference


@given(st.integers(3, 7), st.integers(0, 99))
def test_groups_are_those_of_scipy(n, seed):
    near = torch.rand(n * (n - 1) // 2, 5, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    found = groups_of(scale(near, r=torch.ones_like(near)))
    table = torch.zeros(n, n, dtype=torch.float64)
    table[tuple(torch.triu_indices(n, n, 1))] = near.mean(1)
    assert [m.seed for m in found.smaller] == reference.two_groups((table + table.T).numpy())


def test_without_an_impostor_there_are_no_groups():
    assert groups_of(scale(torch.rand(3, 4))) is None
    assert groups_of(scale(torch.rand(1, 4), r=torch.ones(1, 4))) is None, "two members are no groups"


def test_an_odd_member_is_a_group_and_members_alike_are_not():
    near = torch.full((10, 3), 0.1)
    left, right = torch.triu_indices(5, 5, 1)
    assert not groups_of(scale(near, r=torch.ones(10, 3))).apart
    near[(left == 3) | (right == 3)] = 0.6
    groups = groups_of(scale(near, r=torch.ones(10, 3)))
    assert groups.apart
    assert groups.smaller == (Member(3),)
    assert groups.gap == pytest.approx(0.5)
