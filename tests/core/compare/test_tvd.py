import pytest
import torch
from scipy.spatial.distance import cityblock

from holdfast.core.compare.tvd import Tvd

BOTH = torch.tensor([True, True])


def test_it_is_the_weight_that_moved():
    assert Tvd()(torch.tensor([3.0, 1.0]), torch.tensor([1.0, 1.0]), BOTH).item() == pytest.approx(0.25)
    assert Tvd()(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0]), BOTH).item() == 1.0


def test_scipy_agrees():
    p, q = torch.rand(2, 7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    p, q = p / p.sum(), q / q.sum()
    found = Tvd()(p, q, torch.ones(7, dtype=torch.bool)).item()
    assert found == pytest.approx(cityblock(p.numpy(), q.numpy()) / 2)


def test_opposite_signs_differ_only_when_signed():
    a = torch.tensor([1.0, -2.0])
    assert Tvd()(a, -a, BOTH, signed=False).item() == 0.0
    assert Tvd()(a, -a, BOTH, signed=True).item() == 1.0


def test_across_is_between_every_two():
    draw = torch.Generator().manual_seed(0)
    mask = torch.arange(9) < torch.tensor([9, 1, 4, 6])[:, None]
    a, b = (torch.randn(n, 4, 9, generator=draw, dtype=torch.float64) for n in (3, 2))
    for signed in (False, True):
        ready = [Tvd().prepare(one, mask.expand_as(one), signed) for one in (a, b)]
        expected = torch.stack([torch.stack([Tvd().between(x, y, mask) for y in ready[1]]) for x in ready[0]])
        torch.testing.assert_close(Tvd().across(*ready), expected, rtol=0, atol=1e-14)
        assert not Tvd().across(ready[0], ready[0]).diagonal().any()
