import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.interaction.histories import Histories, aligned
from tests.data.histories import histories
from tests.reference import interactions as naive

lists = st.lists(st.lists(st.integers(1, 9), max_size=8), min_size=1, max_size=5)


@given(lists.filter(any), st.integers(1, 10))
def test_the_latest_items_end_in_the_last_column(some: list[list[int]], length: int) -> None:
    all_ = histories(some)
    values, inside = aligned(all_.ids, all_.starts, all_.ends, length)
    assert values.tolist() == [naive.aligned(one, length) for one in some]
    assert torch.equal(inside, values > 0)


def test_one_and_all() -> None:
    some = histories([[3, 1], [], [2]])
    assert [some.of(user).tolist() for user in range(3)] == [[3, 1], [], [2]]
    assert (len(some), some.lengths.tolist()) == (3, [2, 0, 1])
    again = Histories.read(some.tensors())
    assert torch.equal(again.ids, some.ids)
    assert torch.equal(again.offsets, some.offsets)
