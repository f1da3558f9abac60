"""The gated unit, step by step, and beside ``torch.nn.GRU``."""

import torch

from holdfast.models.image.gru import Gru
from holdfast.models.image.layers import Drop
from holdfast.testing.model import build, example
from tests.models.image.twin import SMALL, count, shake


def test_beside_torch():
    model, batch = shake(build(Gru(), SMALL), 1), example(SMALL)
    cell, n = model.cell, model.cell.width
    twin = torch.nn.GRU(256, n, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        twin.weight_ih_l0.copy_(cell.inputs.T)
        twin.weight_hh_l0.copy_(cell.states.T)
        twin.bias_ih_l0.copy_(cell.bias)
        twin.bias_hh_l0.zero_()
        twin.bias_hh_l0[2 * n :] = cell.inner
    drop, full = Drop({}, 0.0), torch.ones_like(batch.mask)
    features = model.front(batch.inputs, full, drop, None)
    torch.testing.assert_close(cell(features, full, drop, None, "positive"), twin(features)[0][:, -1])


def test_about_as_many_weights_as_the_rectified_memory():
    assert abs(count(Gru(), (12, 28, 7)) - 145_914) < 1_000
