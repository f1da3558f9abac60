"""Gradient times input."""

import captum.attr
import pytest
import torch
from hypothesis import given

from holdfast.explain.gradient_input import GradientInput
from holdfast.models.image.lenet import Lenet
from holdfast.models.image.rlstm import Rlstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CNN, PAIR, STRIPS, TARGET, TWO, assert_twin, captum_forward, cases, run_of
from tests.reference import explain as naive


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(GradientInput(), CNN, task)


@pytest.mark.parametrize("cell", [Rlstm(), Lenet()], ids=repr)
def test_contract_of_strips(cell):
    check_explainer(GradientInput(), cell, STRIPS)


@given(case=cases())
def test_twin(case):
    assert_twin(GradientInput(), naive.gradient_input, case)


def test_captum():
    model, batch = build(CNN, TWO), example(TWO)
    embedded = model.embed(batch).detach().requires_grad_()
    products = captum.attr.InputXGradient(captum_forward(model, batch)).attribute(embedded).sum(-1)
    torch.testing.assert_close(GradientInput().scores(run_of(model), batch, TARGET), products)
