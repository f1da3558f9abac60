import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from holdfast.core.draws import generator, permutation
from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Member
from holdfast.data.interaction.pairs import Pairs
from tests.data.histories import histories
from tests.reference import interactions as naive

ITEMS = 9
CPU = torch.device("cpu")
lists = st.lists(st.lists(st.integers(1, ITEMS - 1), min_size=3, max_size=12), min_size=1, max_size=4)


@given(lists, st.integers(1, 8), st.integers(1, 5), st.integers(0, 99))
def test_rows_and_negatives_as_naively(some: list[list[int]], length: int, size: int, epoch: int) -> None:
    split = Pairs(histories(some), ITEMS, length, size)
    order = permutation(sum(len(one) - 2 for one in some), None, "pairs").tolist()
    rows = naive.pair_rows(some, order, size)
    batch, widest = split.batch(torch.arange(len(split))), min(length, max(len(one) - 2 for one in some))
    assert list(zip(batch.user.tolist(), batch.following.tolist(), strict=True)) == rows
    assert batch.inputs.tolist() == [naive.aligned(some[user][:-2][-length:], widest) for user, _ in rows]
    assert split.lengths.tolist() == batch.mask.sum(1).tolist()
    assert torch.equal(batch.mask, batch.inputs > 0)
    drawn = split.negatives(Member(2), epoch, 3, CPU)
    draws = torch.rand(drawn.shape, generator=generator(Member(2), "negatives", epoch), dtype=torch.double)
    for row, (user, taken) in enumerate(rows):
        for place, item in enumerate(taken):
            wanted = [naive.negative(ITEMS, some[user], draw) for draw in draws[row, place].tolist()]
            assert drawn[row, place].tolist() == (wanted if item else [0, 0, 0])


def test_every_item_that_was_not_taken_is_as_likely() -> None:
    split = Pairs(histories([[2, 4, 6, 8, 10]] * 500), 12, 5)
    counts = split.negatives(Member(0), 1, 8, CPU).flatten().bincount(minlength=13)
    left = [1, 3, 5, 7, 8, 9, 10, 11, 12]  # 8 and 10 are held out: a model cannot know of them
    assert counts[left].sum() == 500 * 3 * 8
    assert chisquare(counts[left]).pvalue > 0.001


def test_rows_are_everybodys_and_draws_a_members_own() -> None:
    some = histories([list(range(1, 30)), list(range(5, 40))])
    one, again = Pairs(some, 60, 5), Pairs(some, 60, 5)
    rows = torch.arange(len(one))
    assert torch.equal(one.batch(rows).following, again.batch(rows).following)
    drawn = one.negatives(Member(3), 2, 1, CPU)
    assert torch.equal(drawn, again.negatives(Member(3), 2, 1, CPU))
    for member, epoch in ((Member(4), 2), (Member(3), 3)):
        assert not torch.equal(drawn, one.negatives(member, epoch, 1, CPU))
    assert not torch.equal(one.batch(rows).following, Pairs(some, 60, 5, 8).batch(rows).following)


def test_nothing_is_drawn_before_it_is_needed() -> None:
    split = Pairs(histories([[1, 2, 3]]), 5, 5)
    assert "_rows" not in vars(split)
    assert len(split) == 1
    assert "_rows" in vars(split)


def test_whoever_took_everything_is_named() -> None:
    split = Pairs(histories([[1, 2, 3, 4, 5], [1, 2, 3, 1, 1]]), 3, 5)
    with pytest.raises(BadData) as caught:
        split.negatives(Member(0), 1, 1, CPU)
    assert str(caught.value) == (
        "user 0 has taken all 3 items, so that none is left to tell from them: expected more items, "
        "or users who have taken fewer of them"
    )


def test_there_are_no_folds() -> None:
    split = Pairs(histories([[1, 2, 3]]), 5, 5)
    for refused in (split.trains, split.held):
        with pytest.raises(BadSetting, match="expected data with folds, but histories of users have none"):
            refused(Member(0, 1))
