"""Captured steps are the steps themselves (the graphs need a GPU; the gather does not)."""

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.train.family import template
from holdfast.train.graphs import gathered
from holdfast.train.loop import train
from tests.train.cases import MEMBERS, doubles, fit_of, only

gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")


@pytest.mark.parametrize("shape", [(4,), (3, 4)])
def test_gathered_rows_carry_this_steps_weights(planted, shape):
    data = planted.splits["train"].batch(torch.arange(9), 24)
    index = torch.arange(12).reshape(3, 4)[: shape[0] if len(shape) > 1 else 1].reshape(shape) % 9
    weight = torch.rand(shape, dtype=torch.float64)
    found = gathered(data, index, weight)
    assert torch.equal(found.inputs, data.inputs[index])
    assert torch.equal(found.targets, data.targets[index])
    assert torch.equal(found.weight, weight.float()), "weights take the data's precision"
    assert data.weight.eq(1).all(), "the data's own weights are left alone"


def test_gathered_works_where_the_data_has_no_weights(planted):
    data = planted.splits["train"].batch(torch.arange(3))
    plain = type(data)(data.inputs, data.mask, data.targets)
    assert gathered(plain, torch.tensor([2, 0]), torch.ones(2)).weight.tolist() == [1.0, 1.0]


@gpu
@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("repair", ["none", "swa:start=0.3", "aswa", "naswa"])
@pytest.mark.parametrize(
    ("model", "optimiser"),
    [("cnn:filters=4,dim=8,dropout=0.3", "adam"), ("bilstm:hidden=4,dim=8", "sgd"), ("average", "adagrad")],
)
def test_on_a_gpu_members_go_the_way_they_go_on_the_cpu(planted, members, repair, model, optimiser):
    own, fit = MEMBERS[:members], fit_of(optimiser, epochs=3, batch=8, patience=3)
    start = doubles(model, planted.task)
    start = start if members > 1 else only(start, 0)
    network = template(make("models", model), planted.task)
    plain = train(network, start, planted, own, fit, make("repairs", repair))
    moved = {name: tensor.cuda() for name, tensor in start.items()}
    captured = train(network, moved, planted, own, fit, make("repairs", repair))
    for one, other in zip(plain, captured, strict=True):
        assert one.best == other.best
        for name, tensor in one.parameters.items():
            torch.testing.assert_close(other.parameters[name].cpu(), tensor, rtol=1e-7, atol=1e-7)
