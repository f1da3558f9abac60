"""Guided backpropagation."""

import captum.attr
import pytest
import torch

from holdfast.explain.guided_backprop import GuidedBackprop
from holdfast.explain.sensitivity import Sensitivity
from holdfast.models.image.deep import Deep
from holdfast.models.image.rlstm import Rlstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TEXTS, TWO, run_of
from tests.explain.peer import Guidable, at, rectifiers


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract_of_texts(task):
    check_explainer(GuidedBackprop(), CNN, task)


def test_contract_of_strips():
    check_explainer(GuidedBackprop(), Deep(bias=1e-6), STRIPS)


def assert_captums(architecture, task):
    """The scores are captum's, and every ReLU on the way was one of its modules."""
    model, batch = build(architecture, task), example(task)
    target, peer = torch.arange(5) % len(task.classes), Guidable(model, batch)
    theirs = captum.attr.GuidedBackprop(peer).attribute(at(model, batch), target=target).detach() ** 2
    if task.strip is None:
        theirs = theirs.sum(-1)
    assert theirs.any()
    torch.testing.assert_close(GuidedBackprop().scores(run_of(model), batch, target), theirs)
    used = []
    for module in peer.relus:
        module.register_forward_hook(lambda *_: used.append(1))
    assert rectifiers(peer(at(model, batch))) == len(used)
    return len(used)


@pytest.mark.filterwarnings("ignore:Setting .*backward hooks:UserWarning")
@pytest.mark.parametrize("cell", CELLS)
def test_captum(cell):
    assert assert_captums(cell(bias=1e-6), STRIPS)


@pytest.mark.filterwarnings("ignore:Setting .*backward hooks:UserWarning")
@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
@pytest.mark.parametrize("architecture", TEXTS, ids=lambda one: type(one).__name__)
def test_captum_of_texts(architecture, task):
    assert (assert_captums(architecture, task) == 1) == (architecture is CNN)


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
