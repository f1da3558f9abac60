import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from holdfast.data.interaction.sampling import Untouched, distinct
from tests.data.histories import histories
from tests.reference import interactions as naive

ITEMS = 9
lists = st.lists(st.lists(st.integers(1, ITEMS), max_size=12), min_size=1, max_size=5).filter(any)


@given(lists, st.integers(0, 3))
def test_every_untouched_item_has_its_rank(some: list[list[int]], held: int) -> None:
    all_ = histories(some)
    ends = torch.maximum(all_.ends - held, all_.starts)
    left = Untouched.of(all_, ends, ITEMS)
    wanted = [naive.untouched(ITEMS, one[: max(0, len(one) - held)]) for one in some]
    assert left.count.tolist() == [len(one) for one in wanted]
    for user, one in enumerate(wanted):
        ranks = torch.arange(len(one))
        assert left.pick(torch.full_like(ranks, user), ranks).tolist() == one


@given(lists, st.integers(0, 2**31))
def test_draws_are_untouched(some: list[list[int]], seed: int) -> None:
    left = Untouched.of(histories(some), histories(some).ends, ITEMS)
    users = (left.count > 0).nonzero()[:, 0]
    draws = torch.rand(len(users), 50, generator=torch.Generator().manual_seed(seed), dtype=torch.double)
    found = left.draw(users[:, None].expand_as(draws), draws)
    for user, own in zip(users.tolist(), found.tolist(), strict=True):
        assert set(own) <= set(naive.untouched(ITEMS, some[user]))


def test_draws_are_uniform() -> None:
    some = histories([[2, 5, 2], [1, 2, 3, 4, 5, 6, 9]])
    left = Untouched.of(some, some.ends, ITEMS)
    draws = torch.rand(2, 20_000, generator=torch.Generator().manual_seed(0), dtype=torch.double)
    found = left.draw(torch.arange(2)[:, None].expand_as(draws), draws)
    for own, items in zip(found, ([1, 3, 4, 6, 7, 8, 9], [7, 8]), strict=True):
        counts = own.bincount(minlength=ITEMS + 1)
        assert int(counts[items].sum()) == 20_000
        assert chisquare(counts[items]).pvalue > 0.001


def test_the_largest_draw_is_still_an_item() -> None:
    some = histories([[2], [1, 2]])
    left = Untouched.of(some, some.ends, 7)
    top = torch.full((2,), 1 - 2**-53, dtype=torch.double)
    assert left.draw(torch.arange(2), top).tolist() == [7, 7]
    assert left.to(torch.device("cpu")).draw(torch.arange(2), 0 * top).tolist() == [1, 3]


@given(st.integers(1, 6), st.lists(st.integers(6, 20), min_size=1, max_size=4), st.integers(0, 2**31))
def test_distinct_numbers_as_naively(count: int, sizes: list[int], seed: int) -> None:
    dice = torch.Generator().manual_seed(seed)
    draws = torch.rand(count, len(sizes), generator=dice, dtype=torch.double)
    found = distinct(torch.tensor(sizes), draws).T.tolist()
    assert found == [naive.floyd(size, own) for size, own in zip(sizes, draws.T.tolist(), strict=True)]
    assert all(len(set(own)) == count and max(own) < size for own, size in zip(found, sizes, strict=True))


def test_every_set_is_as_likely() -> None:
    draws = torch.rand(2, 15_000, generator=torch.Generator().manual_seed(1), dtype=torch.double)
    pairs = distinct(torch.full((15_000,), 4), draws).sort(0).values
    counts = (pairs[0] * 4 + pairs[1]).bincount(minlength=16)
    assert int((counts > 0).sum()) == 6
    assert chisquare(counts[counts > 0]).pvalue > 0.001
