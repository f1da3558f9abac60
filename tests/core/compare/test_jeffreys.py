import pytest
import torch

from holdfast.core.compare.jeffreys import Jeffreys
from holdfast.core.compare.kl import Kl
from holdfast.core.errors import BadSetting


def test_it_is_both_directions_of_kl():
    a, b = torch.rand(2, 20, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    mask = torch.ones(20, 6, dtype=torch.bool)
    assert torch.allclose(Jeffreys()(a, b, mask), Kl()(a, b, mask) + Kl()(b, a, mask))


def test_a_floor_out_of_range_is_refused():
    with pytest.raises(BadSetting, match=r"^jeffreys: expected floor between 1e-30 and 1e-3, but got 1\.0$"):
        Jeffreys(floor=1.0)
