import numpy as np
import pytest
import torch
from scipy.stats import entropy

from holdfast.core.compare.kl import Kl
from holdfast.core.errors import BadSetting

P = torch.tensor([0.1, 0.05, 0.001, 0.5, 0.15, 0.05, 0.05, 0.02, 0.009, 0.07], dtype=torch.float64)
Q = torch.tensor([0.03, 0.1, 0.1, 0.12, 0.48, 0.05, 0.05, 0.008, 0.002, 0.06], dtype=torch.float64)
ALL = torch.ones(10, dtype=torch.bool)


def test_it_is_the_figure_of_the_thesis():
    assert Kl()(P, Q, ALL).item() == pytest.approx(0.663, abs=5e-4)


def test_scipy_agrees():
    assert Kl()(P, Q, ALL).item() == pytest.approx(entropy(P.numpy(), Q.numpy()))


def test_no_common_support_is_finite():
    a, b, mask = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0]), torch.tensor([True, True])
    assert Kl()(a, b, mask).item() == pytest.approx(-np.log(1e-12), rel=1e-6)
    assert Kl(floor=1e-3)(a, b, mask).item() == pytest.approx(-np.log(1e-3), rel=1e-6)


def test_a_floor_out_of_range_is_refused():
    with pytest.raises(BadSetting, match=r"^kl: expected floor between 1e-30 and 1e-3, but got 0$"):
        Kl(floor=0)
