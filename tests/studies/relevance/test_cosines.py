import torch

from holdfast.studies.relevance.cosines import (
    cosines,
    cosines_of_members,
)
from holdfast.study.measurement import Measurement
from tests.study.relevance_rows import cosine_rows


def test_groups_add_up_to_members():
    rows = cosines_of_members(cosine_rows(groups=4, images=0.1, members=3))
    grouped, plain = (
        cosines([r for r in rows if r.by in by], ("deep", "rlstm"), ("lrp",))
        for by in (("member", "group"), ("member",))
    )
    assert (grouped.over, plain.over) == ("members and images", "members")
    assert grouped.sums.shape == (2, 2, 1, 3, 4)
    assert torch.allclose(grouped.sums.sum(-1) / grouped.counts.sum(-1), plain.sums[..., 0])


def test_members_that_one_cell_lacks_are_left_out():
    rows = [row for row in cosine_rows() if not (row.model == "deep" and row.member == "3")]
    table = cosines(cosines_of_members(rows), ("deep", "rlstm"), ("lrp",))
    assert table.sums.shape == (2, 2, 1, 6, 1)
    assert cosines([], ("deep",), ("lrp",)) is None


def test_groups_that_one_cell_lacks_leave_members_alone():
    rows = [row for row in cosine_rows(groups=4) if not (row.model == "deep" and row.by == "group")]
    table = cosines(cosines_of_members(rows), ("deep", "rlstm"), ("lrp",))
    assert table.over == "members"


def test_folds_count_where_there_are_enough_of_them():
    rows = [
        Measurement("digits-maj", "deep", "none", "cosine", 0.5, by="member", member=name)
        for name in ("0", "1", "fold 0", "fold 1", "fold 2")
    ]
    assert [row.member for row in cosines_of_members(rows)] == ["fold 0", "fold 1", "fold 2"]
    assert len(cosines_of_members(rows[:4])) == 4
