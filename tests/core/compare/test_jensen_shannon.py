import math

import pytest
import torch
from scipy.spatial.distance import jensenshannon

from holdfast.core.compare.jensen_shannon import JensenShannon

P = torch.tensor([0.1, 0.05, 0.001, 0.5, 0.15, 0.05, 0.05, 0.02, 0.009, 0.07], dtype=torch.float64)
Q = torch.tensor([0.03, 0.1, 0.1, 0.12, 0.48, 0.05, 0.05, 0.008, 0.002, 0.06], dtype=torch.float64)
ALL = torch.ones(10, dtype=torch.bool)


def test_scipy_agrees():
    assert JensenShannon()(P, Q, ALL).item() == pytest.approx(jensenshannon(P.numpy(), Q.numpy()) ** 2)


def test_no_common_support_is_log_two():
    a, b = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    assert JensenShannon()(a, b, torch.tensor([True, True])).item() == pytest.approx(math.log(2))


def test_the_same_again_is_exactly_zero_in_float32():
    scores = torch.rand(100, 50)
    assert (JensenShannon()(scores, scores, scores >= 0) == 0).all()
