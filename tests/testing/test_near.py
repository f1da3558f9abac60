"""Equal, as far as double precision goes."""

import pytest
import torch

from holdfast.testing.near import assert_near


def test_near():
    one = torch.ones(2, dtype=torch.float64)
    assert_near(one, one + 1e-10, "never said")
    for other in (one + 1e-8, one[:1]):
        with pytest.raises(AssertionError, match=r"^said$"):
            assert_near(one, other, "said")
