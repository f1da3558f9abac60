import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.data.interaction.interactions import Interactions, in_order
from holdfast.data.names import Names
from tests.reference import interactions as naive

rows = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 3)), min_size=1)


def interactions(some: list[tuple], timed: bool = True, kind: type = np.int64) -> Interactions:
    users, items = (list(dict.fromkeys(row[k] for row in some)) for k in (0, 1))
    user, item = (
        np.array([names.index(row[k]) for row in some], np.int32) for k, names in enumerate((users, items))
    )
    time = np.array([row[2] for row in some], kind) if timed else None
    return Interactions(user, item, time, Names.of(users), Names.of(items))


def written(found: Interactions) -> dict[str, list[str]]:
    histories = found.histories()
    return {
        name: [found.items[item - 1] for item in histories.of(user).tolist()]
        for user, name in enumerate(found.users)
    }


@given(rows, st.sampled_from([np.int64, np.float64]))
def test_the_order_of_time(some: list[tuple], kind: type) -> None:
    assert written(interactions(some, kind=kind)) == naive.in_time(some)


def test_rows_that_say_the_same_are_counted() -> None:
    twice = [("b", "x", 3), ("a", "y", 2), ("b", "y", 1), ("b", "x", 3), ("b", "x", 4), ("a", "y", 2)]
    assert interactions(twice).repeats.nonzero()[0].tolist() == [3, 5]
    assert not interactions(twice[:3]).repeats.any()
    assert not interactions(twice[:1]).repeats.any()
    assert not interactions(twice, timed=False).repeats.any()


@given(rows)
@example([("a", "x", 1), ("a", "y", 1), ("a", "x", 1)])  # with another item in between
def test_repeats(some: list[tuple]) -> None:
    assert interactions(some).repeats.tolist() == naive.repeats(some)


@given(rows)
def test_users_whose_last_two_share_a_time_are_counted(some: list[tuple]) -> None:
    assert interactions(some).tied == naive.tied_ends(some)
    assert interactions(some, timed=False).tied == 0


@given(rows)
def test_without_times_the_order_of_rows(some: list[tuple]) -> None:
    assert written(interactions(some, timed=False)) == naive.in_time(
        [(user, item, 0) for user, item, _ in some]
    )


@given(rows.filter(lambda some: len(some) > 1), st.data())
def test_some_rows(some: list[tuple], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(some), max_size=len(some)).filter(any))
    left = interactions(some).keep(np.array(kept))
    wanted = [row for row, keep in zip(some, kept, strict=True) if keep]
    assert written(left) == naive.in_time(wanted)
    assert set(left.items) == {row[1] for row in wanted}


@pytest.mark.parametrize("keys", [[-(2**63), 2**63 - 1, 0], [3, 3, -5, 3], [2**62, -1, 2**62]])
def test_keys_that_do_not_fit_are_sorted_too(keys: list[int]) -> None:
    assert in_order(np.array(keys)).tolist() == sorted(range(len(keys)), key=lambda place: keys[place])
