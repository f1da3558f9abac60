import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.data.perturb.swapped import Swapped
from tests.data.perturb.cases import batch, histories


@given(st.integers(1, 3))
def test_neighbours_change_places_once_at_most(count):
    whole = batch(histories())
    changed = Swapped(count=count).perturb(whole, histories())
    for row in range(len(whole)):
        before, after = whole.inputs[row].tolist(), changed.batch.inputs[row].tolist()
        place = changed.place[row].tolist()
        moved = [t for t, now in enumerate(place) if now not in (t, -1)]
        assert len(moved) in (0, 2 * count)
        for t, now in enumerate(place):
            if now >= 0:
                assert abs(now - t) <= 1
                assert place[now] == t
                assert after[now] == before[t]
        assert changed.touched[row].nonzero()[:, 0].tolist() == moved


def test_histories_that_are_too_short_are_refused():
    with pytest.raises(BadSetting, match="swapped:count=99: expected 198 items or more, but none of the 12"):
        Swapped(count=99).perturb(batch(histories()), histories())
