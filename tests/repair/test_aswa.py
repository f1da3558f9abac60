"""Aggressive stochastic weight averaging is Algorithm 1."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.repair.aswa import Aswa, average
from holdfast.train.fit import Fit
from tests.examples import fewer
from tests.reference import repair as reference
from tests.repair.cases import SGD, assert_twin
from tests.train.tiny import start_of, tiny, trained


@given(st.integers(0, 1000), st.sampled_from([1, 3]))
@fewer(2)
def test_it_is_its_naive_twin(seed, members):
    assert_twin(Aswa(), reference.aswa, seed, members)


def test_the_last_step_of_an_epoch_never_enters_the_average():
    """One step an epoch: the only point that enters is where the epoch began, so nothing ever moves."""
    data, start = tiny(rows=3), start_of(1)
    (one,) = trained(data, start, Fit(epochs=3, batch=8, optimiser=SGD), Aswa())
    torch.testing.assert_close(one.parameters["weight"], start["weight"][0], rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_divisor_is_exact_in_every_precision(dtype):
    mean, point = torch.zeros((), dtype=dtype), torch.ones((), dtype=dtype)
    assert average(mean, point, torch.tensor(2)) == torch.ones((), dtype=dtype) / 3


def test_a_word_that_never_moves_keeps_its_very_vector():
    mean = torch.rand(50, generator=torch.Generator().manual_seed(0))
    assert torch.equal(average(mean, mean.clone(), torch.tensor(6)), mean)
