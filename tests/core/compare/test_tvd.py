import pytest
import torch

from holdfast.core.compare.tvd import Tvd

BOTH = torch.tensor([True, True])


def test_it_is_the_weight_that_moved():
    assert Tvd()(torch.tensor([3.0, 1.0]), torch.tensor([1.0, 1.0]), BOTH).item() == pytest.approx(0.25)
    assert Tvd()(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0]), BOTH).item() == 1.0


def test_opposite_signs_differ_only_when_signed():
    a = torch.tensor([1.0, -2.0])
    assert Tvd()(a, -a, BOTH, signed=False).item() == 0.0
    assert Tvd()(a, -a, BOTH, signed=True).item() == 1.0
