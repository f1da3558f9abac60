from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.perturb.repeated import Repeated
from tests.data.perturb.cases import batch, histories


@given(st.integers(1, 3))
def test_items_are_doubled_and_the_oldest_leave(count):
    whole = batch(histories())
    changed = Repeated(count=count).perturb(whole, histories())
    for row in range(len(whole)):
        there = whole.mask[row].nonzero()[:, 0].tolist()
        doubled = changed.touched[row].nonzero()[:, 0].tolist()
        assert len(doubled) == (count if len(there) > 2 * count else 0)
        naive, places = [], {t: t for t in there}
        if doubled:
            places = dict.fromkeys(there, -1)
            for t in there[count:]:
                for _ in range(1 + (t in doubled)):
                    places[t] = there[len(naive)]
                    naive.append(int(whole.inputs[row, t]))
            assert changed.batch.inputs[row, there].tolist() == naive
        assert {t: int(changed.place[row, t]) for t in there} == places
