"""Rows drawn with chances: by named numbers, each bucket as often as its rows together should be."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.draws import fill_uniform
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.repair.balanced_sampling import BalancedSampling
from holdfast.train.repair import Nothing
from holdfast.train.sampling import Sampling, row_chances
from holdfast.train.schedule import buckets, sampled, schedule, steps_in
from tests.reference.train import drawn_row

MEMBERS = (Member(0), Member(1), Member(0, fold=2))
# the length and the class of each row: short rows are of one class more often than of the others
ROWS = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 2)), min_size=4, max_size=80)


def balanced(rows, batch):
    """Buckets of these rows, drawn so that classes come equally often."""
    lengths, classes = (torch.tensor(column) for column in zip(*rows, strict=True))
    task = Task(0, ("a", "b", "c"), counts=tuple(classes.bincount(minlength=3).tolist()))
    chances = row_chances(BalancedSampling(), (task,), classes, None)
    return sampled(buckets(lengths, batch), chances), chances, classes


@given(ROWS, st.integers(1, 9), st.integers(1, 5))
def test_rows_are_those_that_a_wheel_of_fortune_gives(rows, batch, epoch):
    parts, chances, _ = balanced(rows, batch)
    for number, part in enumerate(parts):
        own = chances[0][part.rows].tolist()
        for m, member in enumerate(MEMBERS):
            numbers = torch.empty(part.size, dtype=torch.double)
            fill_uniform(numbers, torch.Generator(), member, "sampled rows", epoch, number)
            expected = [drawn_row(own, u) for u in numbers.tolist()]
            assert part.order(number, MEMBERS, epoch)[m].tolist() == expected


@given(ROWS, st.integers(1, 9))
def test_classes_are_expected_equally_often(rows, batch):
    parts, chances, classes = balanced(rows, batch)
    expected = torch.zeros(3, dtype=torch.double)
    for part in parts:
        own = chances[0][part.rows]
        expected.index_add_(0, classes[part.rows], part.size * own / own.sum())
    present = classes.unique()
    wanted = len(rows) / len(present)
    assert (expected[present] - wanted).abs().max() <= 0.5 * len(parts) + 1e-9, "a bucket rounds its size"


def test_classes_come_equally_often():
    rows = [(3 + n % 40, int(n % 20 == 0)) for n in range(400)]
    parts, _, classes = balanced(rows, 16)
    drawn = [
        classes[parts[step.bucket].rows[step.index[m][step.weight[m] > 0]]]
        for epoch in range(1, 11)
        for step in schedule(parts, 16, MEMBERS, epoch)
        for m in range(len(MEMBERS))
    ]
    share = torch.cat(drawn).double().mean()
    assert abs(float(share) - 0.5) < 0.02, "12,000 draws are within 4.4 standard errors"


@given(ROWS, st.integers(1, 9), st.integers(1, 5))
def test_shapes_and_draws_do_not_depend_on_the_neighbours(rows, batch, epoch):
    parts, _, _ = balanced(rows, batch)
    alone, among = (list(schedule(parts, batch, some, epoch)) for some in (MEMBERS[1:2], MEMBERS))
    assert len(among) == steps_in(parts, batch)
    for one, many in zip(alone, among, strict=True):
        assert one.bucket == many.bucket
        assert torch.equal(one.index[0], many.index[1])
        assert torch.equal(one.weight[0], many.weight[1])


def test_draws_differ_by_member_and_by_epoch():
    parts, _, _ = balanced([(9, n % 2) for n in range(64)], 64)
    draws = {tuple(parts[0].order(0, MEMBERS, epoch)[m].tolist()) for epoch in (1, 2) for m in range(3)}
    assert len(draws) == 6


def test_members_with_rows_of_their_own_have_chances_of_their_own():
    classes, rows = torch.tensor([0, 0, 0, 1]), torch.tensor([[0, 1, 3], [0, 2, 3], [0, 1, 2]])
    tasks = tuple(
        Task(0, ("a", "b"), counts=tuple(classes[some].bincount(minlength=2).tolist())) for some in rows
    )
    found = row_chances(BalancedSampling(), tasks, classes, rows)
    expected = [[1 / 4, 1 / 4, 1 / 2], [1 / 4, 1 / 4, 1 / 2], [1 / 3, 1 / 3, 1 / 3]]
    assert found.tolist() == [pytest.approx(one) for one in expected]
    assert (Sampling.of(found, torch.arange(3)).draw(0, MEMBERS, 1)[2] < 3).all()


def test_without_chances_every_row_is_taken_once():
    classes = torch.tensor([0, 1])
    assert row_chances(Nothing(), (Task(0, ("a", "b"), counts=(1, 1)),), classes, None) is None


def test_what_has_no_chance_is_never_drawn():
    chances = torch.tensor([[0.0, 0.5, 0.0, 0.5, 0.0, 0.0]])
    parts = sampled(buckets(torch.tensor([3, 3, 3, 3, 9, 9]), 2), chances)
    assert [part.size for part in parts] == [6, 0]
    drawn = torch.cat([step.index[step.weight > 0] for step in schedule(parts, 2, MEMBERS, 1)])
    assert set(drawn.tolist()) == {1, 3}
