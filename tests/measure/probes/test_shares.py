import math

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.measure.probes.shares import counts_of


@pytest.mark.parametrize("length", [1, 2, 10, 20, 100, 180])
def test_shares_are_rounded_up_and_never_nothing(length):
    shares = (1, 2.5, 5, 10, 20, 50, 100)
    counts = [int(count) for count in counts_of(torch.zeros(length), shares)]
    assert counts == [math.ceil(round(length * share / 100, 9)) for share in shares]


def test_of_no_parts_there_is_no_share():
    assert int(counts_of(torch.full((3,), -torch.inf), (50,))[0]) == 0


@pytest.mark.parametrize("shares", ["0+5", "5+101", "-1"])
@pytest.mark.parametrize("name", ["comprehensiveness", "sufficiency", "flipping_noise"])
def test_bad_shares_are_refused(name, shares):
    with pytest.raises(BadSetting) as caught:
        make("probes", f"{name}:shares={shares}")
    assert str(caught.value) == (
        f"{name}: expected shares to be percentages above 0 and at most 100, such as 1+5+10, but got {shares}"
    )
