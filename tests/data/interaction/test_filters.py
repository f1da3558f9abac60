import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.interaction.filters import Filter, thinned
from tests.data.interaction.test_interactions import interactions
from tests.reference import interactions as naive

rows = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("wxyz"), st.just(0)), min_size=4, max_size=30
)


@given(rows, st.integers(1, 4), st.sampled_from(["none", "once", "core"]))
def test_filters_as_naively(some: list[tuple], least: int, how: str) -> None:
    pairs = [row[:2] for row in some]
    wanted = {"none": lambda rows, _: rows, "once": naive.once, "core": naive.core}[how](pairs, least)
    assume(wanted)
    left, notes = thinned(interactions(some), Filter(how, least), "x")
    found = [(left.users[u], left.items[i]) for u, i in zip(left.user, left.item, strict=True)]
    assert found == wanted
    assert bool(notes) == (len(wanted) < len(pairs))


def test_what_was_dropped_is_said() -> None:
    some = [("a", "x", 0), ("a", "y", 0), ("b", "x", 0), ("b", "y", 0), ("b", "z", 0), ("c", "z", 0)]
    once, notes = thinned(interactions(some), Filter("once", 2), "x")
    assert notes == [
        "Users and items with fewer than 2 interactions were dropped once: "
        "2 of 3 users, 3 of 3 items and 5 of 6 interactions are left."
    ]
    core, notes = thinned(interactions(some), Filter("core", 2), "x")
    assert notes == [
        "Users and items with fewer than 2 interactions were dropped until none was left (2 times): "
        "2 of 3 users, 2 of 3 items and 4 of 6 interactions are left."
    ]
    assert (len(once), len(core)) == (5, 4)


def test_nothing_left() -> None:
    sentence = (
        r"^'x': nothing is left of 2 interactions after dropping users and items with fewer than 5: "
        r"expected more data, a lower --least, or --filter none$"
    )
    with pytest.raises(BadData, match=sentence):
        thinned(interactions([("a", "x", 0), ("b", "x", 0)]), Filter(), "x")


def test_settings() -> None:
    with pytest.raises(BadSetting, match=r"^expected filter to be none, once or core, but got 'twice'$"):
        Filter("twice")
    with pytest.raises(BadSetting, match=r"^expected least to be 1 or more, but got 0$"):
        Filter("core", 0)
