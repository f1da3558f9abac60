"""The gradient's length."""

import captum.attr
import pytest
import torch
from hypothesis import given, settings

from holdfast.explain.gradient import Gradient
from holdfast.models.strips.lenet import Lenet
from holdfast.models.strips.rlstm import Rlstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CNN, PAIR, STRIPS, TARGET, TWO, assert_twin, captum_forward, cases, run_of
from tests.reference import explain as naive


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(Gradient(), CNN, task)


@pytest.mark.parametrize("cell", [Rlstm(), Lenet()], ids=repr)
def test_contract_of_strips(cell):
    check_explainer(Gradient(), cell, STRIPS)


@settings(max_examples=25, deadline=None)
@given(case=cases())
def test_twin(case):
    assert_twin(Gradient(), naive.gradient, case)


def test_captum():
    model, batch = build(CNN, TWO), example(TWO)
    embedded = model.embed(batch).detach().requires_grad_()
    slopes = captum.attr.Saliency(captum_forward(model, batch)).attribute(embedded, abs=False)
    torch.testing.assert_close(Gradient().scores(run_of(model), batch, TARGET), slopes.norm(dim=-1))
