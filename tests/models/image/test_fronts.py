"""What is done to a strip before it meets the state."""

import pytest
import torch

from holdfast.models.image.fronts import Convolved, Dense, Pixels, shrunk
from holdfast.models.image.layers import Drop
from tests.reference import strips as naive

NOTHING = Drop({}, 0.0)


@pytest.mark.parametrize(
    "front",
    [Pixels(8, 3), Dense(24, (7, 5)), Convolved(8, 3, 6, literal=False), Convolved(8, 3, 6, literal=True)],
)
def test_features_are_the_twins(front):
    torch.manual_seed(0)
    strips = torch.rand(1, 3, 8, 3, dtype=torch.float64) - 0.5
    features = front.double()(strips, torch.ones(1, 3).bool(), NOTHING, None)
    expected = torch.stack([torch.tensor(row) for row in naive.front(front, strips[0].numpy())])
    assert features.shape == (1, 3, front.width)
    torch.testing.assert_close(features[0].detach(), expected)


@pytest.mark.parametrize("size", range(1, 30))
def test_what_is_left_after_pooling(size):
    maps = torch.zeros(1, size, 1).numpy()
    assert shrunk(size, 1) == naive.pooled(maps).shape[1]
    assert shrunk(size, 2) == naive.pooled(naive.pooled(maps)).shape[1]
