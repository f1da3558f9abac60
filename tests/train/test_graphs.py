"""Captured steps are the steps themselves (the graphs need a GPU; the gather does not)."""

import pytest
import torch

from holdfast.train.graphs import gathered
from tests.train.captured import assert_on_a_gpu, cases, draws

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


CASES = dict(cases())


@gpu
@pytest.mark.parametrize("case", CASES)
def test_on_a_gpu_captured_steps_are_the_steps_themselves(planted, case):
    assert_on_a_gpu(planted, *CASES[case])


def test_they_are_compared_with_the_cpu_only_where_nothing_is_drawn(planted):
    drawn = {case for case, (_, repair, model, _) in CASES.items() if draws(planted, repair, model)}
    assert drawn == {case for case in CASES if "dropout" in case or "jitter" in case}
