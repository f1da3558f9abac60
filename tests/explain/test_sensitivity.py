"""Sensitivity analysis."""

import captum.attr
import pytest
import torch

from holdfast.core.records import Batch
from holdfast.explain.gradient import Gradient
from holdfast.explain.sensitivity import Sensitivity
from holdfast.models.strips.deep import Deep, DeepV2
from holdfast.models.strips.lenet import Lenet
from holdfast.models.strips.shallow import Shallow
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TARGET, TWO, run_of
from tests.explain.peer import Peer, whole


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract_of_texts(task):
    check_explainer(Sensitivity(), CNN, task)


@pytest.mark.parametrize("cell", CELLS)
def test_contract_of_strips(cell):
    check_explainer(Sensitivity(), cell(bias=1e-6), STRIPS)


@pytest.mark.parametrize("architecture", [Lenet(), Shallow(), Deep(), DeepV2()], ids=repr)
def test_captum(architecture):
    model, (images, target) = build(architecture, STRIPS), whole(STRIPS)
    saliency = captum.attr.Saliency(Peer(model, 4))
    theirs = saliency.attribute(images.clone().requires_grad_(), target=target)
    batch = Batch(images, torch.ones(4, 4, dtype=torch.bool))
    torch.testing.assert_close(Sensitivity().scores(run_of(model), batch, target), theirs.detach() ** 2)


def test_of_two_classes_it_is_the_squared_gradient():
    run, batch = run_of(build(CNN, TWO)), example(TWO)
    squared = Gradient().scores(run, batch, TARGET) ** 2
    torch.testing.assert_close(Sensitivity().scores(run, batch, TARGET), squared)
