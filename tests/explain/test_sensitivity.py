"""Sensitivity analysis."""

import captum.attr
import pytest
import torch

from holdfast.explain.gradient import Gradient
from holdfast.explain.sensitivity import Sensitivity
from holdfast.models.image.deep import Deep
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TARGET, TEXTS, TWO, run_of
from tests.explain.peer import at, plain


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract_of_texts(task):
    check_explainer(Sensitivity(), CNN, task)


def test_contract_of_strips():
    check_explainer(Sensitivity(), Deep(bias=1e-6), STRIPS)


def assert_captums(architecture, task):
    model, batch, target = build(architecture, task), example(task), torch.arange(5) % len(task.classes)
    theirs = captum.attr.Saliency(plain(model, batch)).attribute(at(model, batch), target=target) ** 2
    if task.strip is None:
        theirs = theirs.sum(-1)
    assert theirs.any()
    torch.testing.assert_close(Sensitivity().scores(run_of(model), batch, target), theirs)


@pytest.mark.parametrize("cell", CELLS)
def test_captum(cell):
    assert_captums(cell(bias=1e-6), STRIPS)


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
@pytest.mark.parametrize("architecture", TEXTS, ids=lambda one: type(one).__name__)
def test_captum_of_texts(architecture, task):
    assert_captums(architecture, task)


def test_of_two_classes_it_is_the_squared_gradient():
    run, batch = run_of(build(CNN, TWO)), example(TWO)
    squared = Gradient().scores(run, batch, TARGET) ** 2
    torch.testing.assert_close(Sensitivity().scores(run, batch, TARGET), squared)
