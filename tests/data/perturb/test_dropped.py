import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.perturb.dropped import Dropped
from tests.data.perturb.cases import batch, histories, texts


@given(st.integers(1, 9))
def test_holes_and_nothing_else(count):
    for data in (texts(), histories()):
        whole = batch(data)
        changed = Dropped(count=count).perturb(whole, data)
        for row in range(len(whole)):
            there = [t for t in range(whole.mask.shape[1]) if whole.mask[row, t]]
            gone = [t for t in there if not changed.batch.mask[row, t]]
            assert len(gone) == (count if len(there) > count else 0)
            assert gone == changed.touched[row].nonzero()[:, 0].tolist()
            places = [-1 if t in gone or t not in there else t for t in range(whole.mask.shape[1])]
            assert changed.place[row].tolist() == places
        assert torch.equal(changed.batch.inputs, whole.inputs)
