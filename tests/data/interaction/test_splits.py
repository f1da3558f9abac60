import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.interaction.splits import HeldOut, Windows
from tests.data.histories import histories
from tests.reference import interactions as naive

ITEMS = 9
CPU = torch.device("cpu")
lists = st.lists(st.lists(st.integers(1, ITEMS - 1), min_size=3, max_size=12), min_size=1, max_size=4).filter(
    lambda some: any(len(one) > 3 for one in some)
)


@given(lists, st.integers(1, 8), st.integers(1, 3), st.integers(0, 99))
def test_windows_as_naively(some: list[list[int]], length: int, samples: int, epoch: int) -> None:
    split = Windows(histories(some), ITEMS, length, samples)
    users = [user for user, one in enumerate(some) if len(one) > 3]
    batch = split.fresh(Member(0), epoch, 2, CPU)
    assert len(split) == len(users) * samples == len(batch)
    for row in range(len(split)):
        own = some[users[row // samples]]
        possible = [naive.window(own, start, length) for start in naive.starts(own, length)]
        assert (batch.inputs[row].tolist(), batch.following[row].tolist()) in possible
        negatives = batch.negatives[row][batch.mask[row]].flatten().tolist()
        assert set(negatives) <= set(naive.untouched(ITEMS, own[:-2]))
    assert not batch.negatives[~batch.mask].any()
    assert torch.equal(batch.mask, batch.inputs > 0)
    latest = split.batch(torch.arange(len(split)))
    for row in range(len(split)):
        own = some[users[row // samples]]
        wanted = naive.window(own, naive.starts(own, length)[-1], length)
        assert (latest.inputs[row].tolist(), latest.following[row].tolist()) == wanted


def test_every_start_is_as_likely() -> None:
    split = Windows(histories([list(range(1, 13))]), 20, length=4, samples=8000)
    first = split.fresh(Member(0), 1, 0, CPU).inputs[:, 0]
    counts = first.bincount()[1:]
    assert counts.sum() == 8000
    assert len(counts) == len(naive.starts(list(range(12)), 4)) == 6
    assert chisquare(counts).pvalue > 0.001


def test_draws_belong_to_a_member_and_an_epoch() -> None:
    split = Windows(histories([list(range(1, 30)), list(range(5, 40))]), 60, length=5, samples=4)
    one = split.fresh(Member(3), 2, 1, CPU)
    again = Windows(split.histories, 60, 5, 4).fresh(Member(3), 2, 1, CPU)
    assert torch.equal(one.inputs, again.inputs)
    assert torch.equal(one.negatives, again.negatives)
    for other in (split.fresh(Member(4), 2, 1, CPU), split.fresh(Member(3), 3, 1, CPU)):
        assert not torch.equal(one.inputs, other.inputs)
        assert not torch.equal(one.negatives, other.negatives)
    # windows do not depend on how many negatives a model wants
    assert torch.equal(split.fresh(Member(3), 2, 7, CPU).inputs, one.inputs)


def asked(some: list[list[int]], length: int, back: int, causes: list[int] | None = None) -> HeldOut:
    all_ = histories(some)
    candidates = all_.ids[all_.ends - back][:, None].repeat(1, 3)
    marks = None if causes is None else torch.tensor(causes).bool()
    return HeldOut(all_, candidates, ITEMS, length, back, marks)


@given(lists, st.integers(1, 8), st.sampled_from([1, 2]))
def test_histories_before_the_item(some: list[list[int]], length: int, back: int) -> None:
    split = asked(some, length, back)
    rows = torch.arange(len(some))
    batch, excluded = split.batch(rows), split.excluded(rows)
    for row, one in enumerate(some):
        assert batch.inputs[row].tolist() == naive.aligned(one[:-back], length)
        known = {0, *one[:-back]} - {one[-back]}
        assert set(excluded[row].nonzero()[:, 0].tolist()) == known
    assert torch.equal(split.scored(rows), batch.inputs > 0)
    assert split.truth(rows) is None
    assert not split.targets.any()
    assert bool((split.lengths == length).all())


def test_the_truth_lies_where_the_items_lie() -> None:
    split = asked([[1, 2, 3, 4], [5, 6, 7]], 3, 1, [1, 0, 1, 0, 1, 0, 0])
    assert split.truth(torch.tensor([0, 1])).tolist() == [[1, 0, 1], [0, 1, 0]]
    assert split.truth(torch.tensor([1]), 5).tolist() == [[0, 0, 0, 1, 0]]


def test_lengths_and_folds() -> None:
    windows, one = Windows(histories([[1, 2, 3, 4, 5]]), ITEMS, 3), asked([[1, 2, 3]], 3, 1)
    for split in (windows, one):
        with pytest.raises(ValueError, match=r"^expected a length of at least 3, but got 2$"):
            split.batch(torch.tensor([0]), 2)
    assert windows.trains(Member(0)) is None
    assert windows.held(Member(0)) is None
    with pytest.raises(
        BadSetting, match=r"^seed 0, fold 1: expected data with folds, but histories of users"
    ):
        windows.trains(Member(0, 1))
