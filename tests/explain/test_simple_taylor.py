"""Simple Taylor decomposition."""

import captum.attr
import pytest
import torch

from holdfast.explain.gradient_input import GradientInput
from holdfast.explain.simple_taylor import SimpleTaylor
from holdfast.models.image.deep import Deep
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TARGET, TWO, run_of
from tests.explain.peer import at, plain


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract_of_texts(task):
    check_explainer(SimpleTaylor(), CNN, task)


def test_contract_of_strips():
    check_explainer(SimpleTaylor(), Deep(bias=1e-6), STRIPS)


@pytest.mark.parametrize("cell", CELLS)
def test_captum(cell):
    model, batch, target = build(cell(bias=1e-6), STRIPS), example(STRIPS), torch.arange(5) % 3
    product = captum.attr.InputXGradient(plain(model, batch))
    theirs = product.attribute(at(model, batch), target=target).detach()
    assert theirs.any()
    torch.testing.assert_close(SimpleTaylor().scores(run_of(model), batch, target), theirs)


def test_of_two_classes_it_is_gradient_times_input():
    run, batch = run_of(build(CNN, TWO)), example(TWO)
    same = GradientInput().scores(run, batch, TARGET)
    torch.testing.assert_close(SimpleTaylor().scores(run, batch, TARGET), same)
