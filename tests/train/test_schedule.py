"""Every row once an epoch, in shapes that all members share."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import Member
from holdfast.train.schedule import EDGES, buckets, edge, schedule, steps_in

LENGTHS = st.lists(st.integers(0, 700), min_size=1, max_size=60).map(torch.tensor)
MEMBERS = (Member(0), Member(1), Member(0, fold=2))


@given(LENGTHS, st.integers(1, 9), st.integers(1, 5))
def test_every_row_is_trained_on_exactly_once(lengths, batch, epoch):
    parts = buckets(lengths, batch)
    seen = [Counter() for _ in MEMBERS]
    steps = list(schedule(parts, batch, MEMBERS, epoch))
    assert len(steps) == steps_in(parts, batch)
    for step in steps:
        assert step.index.shape == step.weight.shape == (len(MEMBERS), batch)
        assert step.weight.unique().tolist() in ([1.0], [0.0, 1.0])
        assert (step.weight.sum(1) > 0).all(), "a step without a row"
        for m in range(len(MEMBERS)):
            seen[m].update(parts[step.bucket].rows[step.index[m][step.weight[m] > 0]].tolist())
    assert all(count == Counter(range(len(lengths))) for count in seen)


@given(LENGTHS, st.integers(1, 9))
def test_buckets_are_long_enough_and_big_enough(lengths, batch):
    parts = buckets(lengths, batch)
    assert sorted(torch.cat([part.rows for part in parts]).tolist()) == list(range(len(lengths)))
    assert all(int(lengths[part.rows].max()) <= part.length for part in parts)
    assert [part.length for part in parts] == sorted({part.length for part in parts})
    assert all(len(part.rows) >= batch for part in parts[:-1])


@given(LENGTHS, st.integers(1, 9), st.integers(1, 5))
def test_shapes_and_own_rows_do_not_depend_on_the_neighbours(lengths, batch, epoch):
    parts = buckets(lengths, batch)
    alone = list(schedule(parts, batch, MEMBERS[1:2], epoch))
    among = list(schedule(parts, batch, MEMBERS, epoch))
    for one, many in zip(alone, among, strict=True):
        assert one.bucket == many.bucket
        assert torch.equal(one.index[0], many.index[1])
        assert torch.equal(one.weight[0], many.weight[1])


def test_orders_differ_by_member_and_by_epoch():
    parts = buckets(torch.full((64,), 9), 64)
    orders = [
        tuple(step.index[m].tolist())
        for epoch in (1, 2)
        for step in schedule(parts, 64, MEMBERS, epoch)
        for m in range(len(MEMBERS))
    ]
    assert len(set(orders)) == 6


def test_the_order_of_the_steps_differs_by_epoch_only():
    parts = buckets(torch.arange(1, 200) % 60 + 1, 4)
    orders = {epoch: [step.bucket for step in schedule(parts, 4, MEMBERS[:1], epoch)] for epoch in (1, 2)}
    assert orders[1] != orders[2]
    assert sorted(orders[1]) == sorted(orders[2])
    assert orders[1] == [step.bucket for step in schedule(parts, 4, MEMBERS[1:2], 1)]


@given(st.integers(0, 5000))
def test_an_edge_is_never_too_short_and_wastes_little(length):
    padded = edge(length)
    assert padded >= length
    assert padded in EDGES or (padded > EDGES[-1] and padded % 256 == 0)
    assert padded - length <= max(4, length // 3, 255 if length > EDGES[-1] else 0)


@pytest.mark.parametrize(("length", "padded"), [(0, 4), (4, 4), (5, 8), (512, 512), (513, 768), (768, 768)])
def test_edges_include_themselves(length, padded):
    assert edge(length) == padded
