"""Equal, as far as double precision goes."""

import torch
from torch import Tensor

TOLERANCE = 1e-9  # in double precision


def assert_near(a: Tensor, b: Tensor, message: str) -> None:
    """Fail with ``message`` unless both agree in double precision."""
    assert a.shape == b.shape, message
    assert torch.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE), message
