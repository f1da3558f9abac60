"""Guided backpropagation."""

import captum.attr
import pytest
import torch

from holdfast.core.records import Batch
from holdfast.explain.guided_backprop import GuidedBackprop
from holdfast.explain.sensitivity import Sensitivity
from holdfast.models.strips.deep import Deep, DeepV2
from holdfast.models.strips.lenet import Lenet
from holdfast.models.strips.rlstm import Rlstm
from holdfast.models.strips.shallow import Shallow
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TWO, run_of
from tests.explain.peer import Peer, whole


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract_of_texts(task):
    check_explainer(GuidedBackprop(), CNN, task)


@pytest.mark.parametrize("cell", CELLS)
def test_contract_of_strips(cell):
    check_explainer(GuidedBackprop(), cell(bias=1e-6), STRIPS)


@pytest.mark.filterwarnings("ignore:Setting .*backward hooks:UserWarning")
@pytest.mark.parametrize("architecture", [Lenet(), Shallow(), Deep(), DeepV2()], ids=repr)
def test_captum(architecture):
    model, (images, target) = build(architecture, STRIPS), whole(STRIPS)
    guided = captum.attr.GuidedBackprop(Peer(model, 4))
    theirs = guided.attribute(images.clone().requires_grad_(), target=target).detach()
    batch = Batch(images, torch.ones(4, 4, dtype=torch.bool))
    torch.testing.assert_close(GuidedBackprop().scores(run_of(model), batch, target), theirs**2)
    assert theirs.any()


def test_gates_have_no_slope():
    """With open gates that do not depend on anything both gradients would agree on a net without ReLUs."""
    model, batch = build(Rlstm(), STRIPS), example(STRIPS)
    target = torch.arange(5) % 3
    plain = Sensitivity().scores(run_of(model), batch, target)
    guided = GuidedBackprop().scores(run_of(model), batch, target)
    assert not torch.allclose(plain, guided)
    with torch.no_grad():  # gates that see nothing, and only positive weights: then there is nothing to guide
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.abs_()
        for weight in (model.cell.inputs, model.cell.states):
            weight[:, : 3 * model.cell.width] = 0.0
    plain = Sensitivity().scores(run_of(model), batch, target)
    assert plain.any()
    torch.testing.assert_close(GuidedBackprop().scores(run_of(model), batch, target), plain)
