"""The gradient's length."""

import captum.attr
import pytest
import torch
from hypothesis import given

from holdfast.core.records import Edit
from holdfast.explain.gradient import Gradient
from holdfast.models.image.lenet import Lenet
from holdfast.models.image.rlstm import Rlstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.attending import BERT4REC, GRU, ITEMS, NAMES, PARTNERS, SASREC, member
from tests.explain.cases import CNN, PAIR, STRIPS, TARGET, TWO, assert_twin, captum_forward, cases, run_of
from tests.reference import explain as naive


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(Gradient(), CNN, task)


@pytest.mark.parametrize("cell", [Rlstm(), Lenet()], ids=repr)
def test_contract_of_strips(cell):
    check_explainer(Gradient(), cell, STRIPS)


@given(case=cases())
def test_twin(case):
    assert_twin(Gradient(), naive.gradient, case)


@pytest.mark.parametrize("architecture", [SASREC, BERT4REC, GRU], ids=repr)
def test_of_items_it_is_the_slope_of_the_score(architecture):
    """‖∂(h_n·e_*)/∂e_j‖₂ (Baumhauer), position by position, by plain autograd."""
    model, batch = member(architecture, ITEMS), example(ITEMS)
    scores = Gradient().scores(run_of(model), batch, TARGET)
    for row in range(5):
        one = batch.take(torch.tensor([row]))
        leaf = model.embed(one).detach().requires_grad_()
        score = model(one, Edit(embedded=leaf)).logits[0, TARGET[row]]
        (slopes,) = torch.autograd.grad(score, leaf)
        for position in range(6):
            expected = slopes[0, position].pow(2).sum().sqrt() * batch.mask[row, position]
            torch.testing.assert_close(scores[row, position], expected)


@pytest.mark.parametrize(("architecture", "task"), PARTNERS[:3], ids=NAMES[:3])
def test_contract_of_blocks(architecture, task):
    check_explainer(Gradient(), architecture, task)


def test_captum():
    model, batch = build(CNN, TWO), example(TWO)
    embedded = model.embed(batch).detach().requires_grad_()
    slopes = captum.attr.Saliency(captum_forward(model, batch)).attribute(embedded, abs=False)
    torch.testing.assert_close(Gradient().scores(run_of(model), batch, TARGET), slopes.norm(dim=-1))
