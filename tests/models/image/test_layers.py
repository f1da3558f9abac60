"""The layers by themselves: initialisation, pooling, dropout."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.rules import matmul
from holdfast.data.base import Task
from holdfast.models.image.convolution import Convolution
from holdfast.models.image.deep import Deep
from holdfast.models.image.layers import Drop, Layer, cut_normal, dense, pool, same
from tests.reference import strips as naive


def test_weights_are_normal_and_cut():
    torch.manual_seed(0)
    weight = cut_normal((400, 300), 400).detach()
    assert weight.abs().max() <= 2 / 20
    # a normal cut at 2σ has 0.8796 of its spread left
    assert abs(float(weight.std()) * 20 - 0.8796) < 0.01


def test_the_recurrent_input_counts_as_input():
    torch.manual_seed(0)
    for layer, fan_in in ((dense(196, 256, extra=256), 452), (Convolution(1, 24, 5, literal=True), 625)):
        for weight in (layer.weight, layer.state):
            sigma = fan_in**-0.5
            assert weight.abs().max() <= 2 * sigma
            assert abs(float(weight.detach().std()) / sigma - 0.88) < 0.05


def test_a_step_is_the_whole_layer():
    torch.manual_seed(0)
    layer, x, state = dense(5, 3, extra=2).double(), torch.rand(4, 5).double(), torch.rand(4, 2).double()
    found = layer.step(layer.over_time(x, None), state, None).detach()
    for row in range(4):
        expected = torch.tensor(naive.dense(layer, x[row].numpy(), state[row].numpy()))
        torch.testing.assert_close(found[row], expected.relu())


def test_a_bias_is_never_positive():
    layer = Layer(matmul, (3, 2))
    with torch.no_grad():
        layer.offset.copy_(torch.tensor([-50.0, 50.0]))
    assert (layer.bias <= 0).all()


@given(height=st.integers(1, 9), width=st.integers(1, 9), seed=st.integers(0, 99))
def test_pooling_and_convolution(height, width, seed):
    generator = torch.Generator().manual_seed(seed)
    maps = torch.randn(2, height, width, generator=generator, dtype=torch.float64)
    weight = torch.randn(3, 2, 5, 5, generator=generator, dtype=torch.float64)
    torch.testing.assert_close(pool(maps[None])[0], torch.tensor(naive.pooled(maps.numpy())))
    expected = torch.tensor(naive.convolved(maps.numpy(), weight.numpy(), 2))
    torch.testing.assert_close(same(maps[None], weight)[0], expected)


@pytest.mark.parametrize("stationary", [False, True])
def test_dropout_of_all_steps_is_dropout_of_each(stationary):
    x = torch.rand(3, 4, 5)
    draws = torch.rand(3, 5) if stationary else torch.rand(3, 4, 5)
    drop = Drop({"hidden": draws}, 0.4)
    each = torch.stack([x[:, t] * keep for t, keep in enumerate(drop.steps("hidden", 4))], 1)
    torch.testing.assert_close(drop.over_time(x, "hidden"), each)
    shared = draws[:, None] if stationary else draws
    torch.testing.assert_close(each, x * (shared >= 0.4) / 0.6)


def test_no_draws_no_dropout():
    x = torch.rand(3, 4, 5)
    for drop in (Drop({}, 0.4), Drop({"hidden": torch.zeros(3, 5)}, 0.0)):
        assert drop.over_time(x, "hidden") is x
        assert drop.steps("hidden", 4) == [None] * 4


def test_softplus_starts_where_it_must():
    for start in (0.01, 0.0001):
        model = Deep(bias=start).build(Task(0, ("a", "b"), strip=(2, 8, 4)))
        torch.testing.assert_close(F.softplus(model.logits.offset), torch.full((2,), start))
