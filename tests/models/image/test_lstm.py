"""The long short-term memory, step by step, and beside ``torch.nn.LSTM``."""

import torch

from holdfast.models.image.layers import Drop
from holdfast.models.image.lstm import Lstm
from holdfast.testing.model import build, example
from tests.models.image.twin import SMALL, count, shake


def test_beside_torch():
    model, batch = shake(build(Lstm(), SMALL), 1), example(SMALL)
    cell, n = model.cell, model.cell.width
    twin = torch.nn.LSTM(256, n, batch_first=True, dtype=torch.float64)

    def order(columns):  # ours are i, f, o, g, theirs i, f, g, o
        i, f, o, g = columns.split(n, -1)
        return torch.cat([i, f, g, o], -1)

    with torch.no_grad():
        twin.weight_ih_l0.copy_(order(cell.inputs).T)
        twin.weight_hh_l0.copy_(order(cell.states).T)
        twin.bias_ih_l0.copy_(order(torch.cat([cell.gates, cell.offset])))
        twin.bias_hh_l0.zero_()
    drop, full = Drop({}, 0.0), torch.ones_like(batch.mask)
    features = model.front(batch.inputs, full, drop, None)
    torch.testing.assert_close(cell(features, full, drop, None, "positive"), twin(features)[0][:, -1])


def test_only_the_cell_differs_from_the_rectified_one():
    assert count(Lstm(), (12, 28, 7)) == 145_914
