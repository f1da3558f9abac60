"""Norm-filtered averaging is Algorithm 2, over all weights or tensor by tensor."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.repair.aswa import Aswa
from holdfast.repair.naswa import Naswa
from holdfast.train.fit import Fit
from tests.examples import fewer
from tests.reference import repair as reference
from tests.repair.cases import SGD, assert_twin, last
from tests.train.tiny import start_of, tiny, trained


@given(st.integers(0, 1000), st.sampled_from([1, 3]))
@fewer(2)
def test_it_is_its_naive_twin(seed, members):
    assert_twin(Naswa(), reference.naswa, seed, members, rows=30)


@given(st.integers(0, 1000), st.sampled_from([1, 3]))
@fewer(2)
def test_per_tensor_it_is_its_naive_twin(seed, members):
    def twin(*arguments):
        return reference.naswa(*arguments, per_tensor=True)

    assert_twin(Naswa(per="tensor"), twin, seed, members, rows=30)


def test_the_filter_filters():
    """Otherwise the twins above would only be ASWA's again."""
    data, start, fit = tiny(rows=30), start_of(1), Fit(epochs=4, batch=3, optimiser=SGD)
    repairs = [last(repair) for repair in (Aswa(), Naswa(), Naswa(per="tensor"))]
    ways = [trained(data, start, fit, repair)[0].parameters["weight"] for repair in repairs]
    assert not torch.allclose(ways[0], ways[1])
    assert not torch.allclose(ways[1], ways[2])


def test_norms_go_on_from_the_last_that_entered():
    repair = Naswa()
    memory = repair.begin({"w": torch.tensor([0.0])}, Task(0, ("no", "yes")))
    entered = []
    for t, w in enumerate([0.0, 4.0, 1.0, 3.0, 9.0], 1):
        before = memory["average/w"]
        _, memory = repair.step({"w": torch.tensor([w])}, memory, torch.tensor(t))
        entered.append(not torch.equal(before, memory["average/w"]))
    # norms 0, 4, |1 - 4/3|, |3 - 4/3|, |9 - 4/3| against means 0, 0, 4, 2.17, 2
    assert entered == [False, True, False, False, True]
    assert float(memory["count/"]) == 1.0
    assert float(memory["total/"]) == pytest.approx(9 - 4 / 3)


def test_another_filter_is_refused():
    with pytest.raises(BadSetting, match=r"^naswa: expected per to be model or tensor, but got 'layer'$"):
        make("repairs", "naswa:per=layer")
