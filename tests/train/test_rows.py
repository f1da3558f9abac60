"""Rows lie where training reads them: the members' own on a leading axis, refilled in place."""

import torch

from holdfast.train.rows import drawn_rows, fixed_rows, refill
from holdfast.train.schedule import buckets
from tests.train.cases import MEMBERS
from tests.train.tiny import Words

CPU = torch.device("cpu")


def test_every_row_is_in_one_bucket(planted):
    split = planted.splits["train"]
    parts = buckets(split.lengths, 16, split.padded)
    batches = fixed_rows(split, parts, None, 16, torch.zeros(1, dtype=torch.float64))
    assert sorted(torch.cat([batch.rows for batch in batches]).tolist()) == list(range(len(split)))
    assert {batch.weight.dtype for batch in batches} == {torch.float64}


def test_members_with_rows_of_their_own_share_one_bucket():
    split, own = Words(((1, 2), (3, 4), (0, 1)), (0, 1, 0)), torch.tensor([[0, 1], [1, 2]])
    (batch,) = fixed_rows(split, buckets(split.lengths[own[0]], 2, padded=False), own, 2, torch.zeros(1))
    assert batch.rows.tolist() == [0, 1, 2]


def test_what_is_drawn_is_each_members_own_and_refilled_in_place(plays):
    split = plays.splits["train"]
    first, second = (drawn_rows(split, MEMBERS, epoch, 1, CPU) for epoch in (1, 2))
    for m, member in enumerate(MEMBERS):
        alone = drawn_rows(split, (member,), 1, 1, CPU)
        assert torch.equal(first.negatives[m], alone.negatives)
    assert not torch.equal(first.negatives, second.negatives)
    place = first.negatives.data_ptr()
    refill(first, second)
    assert torch.equal(first.negatives, second.negatives)
    assert first.negatives.data_ptr() == place
