import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import Member
from holdfast.measure.hold import (
    Against,
    Scale,
    groups_of,
    hold,
    members_to_settle,
    scale_of,
    unseen_share,
)
from holdfast.measure.impostors import Distances, Shuffled
from holdfast.measure.pairing import Pairs
from tests.measure.builders import explanation, random_explanation
from tests.reference import hold as reference


def scale(near, **far):
    """From tables of (pairs, instances)."""
    n = round((1 + math.sqrt(1 + 8 * len(near))) / 2)
    left, right = torch.triu_indices(n, n, 1)
    known = torch.ones(near.shape[1], dtype=torch.bool)
    tables = {name: Distances(Pairs(table, left, right, n), known) for name, table in far.items()}
    return Scale(Pairs(near, left, right, n), tables, tuple(map(Member, range(n))))


@given(st.integers(3, 6), st.integers(2, 9), st.integers(0, 99))
def test_the_naive_twin_agrees(n, instances, seed):
    dice = torch.Generator().manual_seed(seed)
    count = n * (n - 1) // 2
    near, far = (torch.rand(count, instances, generator=dice, dtype=torch.float64) + 0.1 for _ in range(2))
    measured = hold(scale(near, shuffled=far))
    pairs = list(zip(*(end.tolist() for end in torch.triu_indices(n, n, 1)), strict=True))
    tables = ({pair: row.tolist() for pair, row in zip(pairs, table, strict=True)} for table in (near, far))
    expected = reference.hold(*tables, n)
    assert (measured.value, measured.low, measured.high) == pytest.approx(expected)


def test_the_nearest_impostor_counts_and_ends_are_the_least():
    dice = torch.Generator().manual_seed(0)
    near, one, two = (torch.rand(10, 40, generator=dice) + by for by in (0.0, 1.0, 0.6))
    measured = hold(scale(near, shuffled=one, another=two))
    assert measured.nearest == "another"
    assert measured.value == min(a.value for a in measured.against)
    assert measured.low == min(a.low for a in measured.against)
    assert measured.high == min(a.high for a in measured.against)


def test_only_selected_instances_count():
    dice = torch.Generator().manual_seed(0)
    near, far = torch.rand(6, 8, generator=dice), torch.rand(6, 8, generator=dice) + 1
    select = torch.arange(8) < 3
    assert hold(scale(near, r=far), select) == hold(scale(near[:, :3], r=far[:, :3]))
    assert hold(scale(near, r=far), torch.zeros(8, dtype=torch.bool)) is None


def test_the_same_again_is_1_without_an_interval_and_what_nothing_changes_is_0():
    zero, far = torch.zeros(3, 4), torch.ones(3, 4)
    same, nothing = hold(scale(zero, r=far)), hold(scale(zero, r=zero))
    assert (same.value, same.low, same.high) == (1.0, None, None)
    assert (nothing.value, nothing.low, nothing.high) == (0.0, 0.0, 0.0)


def test_two_members_have_no_interval():
    measured = hold(scale(torch.full((1, 4), 0.2), r=torch.full((1, 4), 0.4)))
    assert (measured.value, measured.low, measured.high) == (pytest.approx(0.5), None, None)


def test_an_impostor_of_few_instances_is_left_out():
    class Rare(Shuffled):
        name = "rare"

        def copies(self, explanation, rows):
            for copy in super().copies(explanation, rows):
                yield copy._replace(known=copy.known & (rows < 20))

    many = random_explanation(examples=40)
    assert set(scale_of(many, [Shuffled(), Rare()]).impostors) == {"shuffled"}


def test_random_scores_do_not_hold_and_a_common_order_does():
    dice = torch.Generator().manual_seed(1)
    noise = torch.rand(6, 200, 8, generator=dice)
    measured = hold(scale_of(explanation(noise.tolist()), [Shuffled()]))
    assert measured.low < 0.02
    assert abs(measured.value) < 0.05
    common = torch.rand(200, 8, generator=dice).pow(3) + 0.02 * noise
    assert hold(scale_of(explanation(common.tolist()), [Shuffled()])).low > 0.9


@given(st.integers(3, 7), st.integers(0, 99))
def test_groups_are_those_of_scipy(n, seed):
    near = torch.rand(n * (n - 1) // 2, 5, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    found = groups_of(scale(near, r=torch.ones_like(near)))
    table = torch.zeros(n, n, dtype=torch.float64)
    table[tuple(torch.triu_indices(n, n, 1))] = near.mean(1)
    assert [m.seed for m in found.smaller] == reference.two_groups((table + table.T).numpy())


def test_an_odd_member_is_a_group_and_members_alike_are_not():
    near = torch.full((10, 3), 0.1)
    left, right = torch.triu_indices(5, 5, 1)
    assert not groups_of(scale(near, r=torch.ones(10, 3))).apart
    near[(left == 3) | (right == 3)] = 0.6
    groups = groups_of(scale(near, r=torch.ones(10, 3)))
    assert groups.apart
    assert groups.smaller == (Member(3),)
    assert groups.gap == pytest.approx(0.5)


@given(st.floats(0.05, 0.9), st.floats(0.01, 1.0), st.integers(3, 20), st.sampled_from([0.4, 0.7]))
def test_so_many_members_settle_it_and_one_fewer_does_not(value, error, n, limit):
    from scipy.stats import t

    one = Against("r", value, None, None, math.log(1 - value), error)
    needed = members_to_settle(one, n, limit)
    distance = abs(one.ratio - math.log(1 - limit))

    def half(more):
        return t.ppf(0.975, more - 1) * error * math.sqrt(n / more)

    if needed is None:
        assert half(50) > distance
    else:
        assert half(needed) <= distance
        assert needed == n + 1 or half(needed - 1) > distance


def test_how_common_odd_members_could_be_unseen():
    assert [round(unseen_share(n), 2) for n in (5, 10, 20)] == [0.45, 0.26, 0.14]
