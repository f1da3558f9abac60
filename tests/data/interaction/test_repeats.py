import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.interaction.repeats import check_repeats, without_repeats
from tests.data.interaction.test_interactions import interactions, written

ROWS = [("a", "x", 1), ("a", "y", 1), ("a", "x", 1), ("b", "x", 1)]


def test_one_row_that_repeats_another_is_kept_or_dropped() -> None:
    told = "1 row repeats another (user, item and time): each counts as an interaction of its own"
    for said, note in ((None, f"{told}."), ("keep", f"{told} (--repeats drop drops them).")):
        kept, notes = without_repeats(interactions(ROWS), said, "f")
        assert len(kept) == 4
        assert notes == [note]
    left, notes = without_repeats(interactions(ROWS), "drop", "f")
    assert written(left) == {"a": ["x", "y"], "b": ["x"]}
    assert notes == ["1 row repeats another (user, item and time): dropped."]
    assert without_repeats(left, "drop", "f") == (left, [])


def test_what_cannot_be_done_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"^expected repeats to be keep or drop, but got 'once'$"):
        check_repeats("once")
    with pytest.raises(
        BadSetting,
        match=r"^--repeats drop needs times to know which rows repeat another, but 'f' has none: name their "
        r"column with --time, or leave it out$",
    ):
        without_repeats(interactions(ROWS, timed=False), "drop", "f")
