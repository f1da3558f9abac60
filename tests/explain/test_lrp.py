"""LRP: the contract, captum's opinion, the settings."""

from dataclasses import replace

import captum.attr
import pytest
import torch
from captum.attr._utils.lrp_rules import Alpha1_Beta0_Rule, EpsilonRule

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.data.image.dataset import to_strips
from holdfast.explain.lrp import Lrp
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.rules.taylor import Taylor
from holdfast.models.image.gru import Gru
from holdfast.models.image.lenet import Lenet
from holdfast.models.image.lstm import Lstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TEXTS, TWO, run_of
from tests.explain.peer import Net, whole
from tests.models.image.twin import shake

RULES = [Lrp("alphabeta"), Lrp(alpha=1.0, beta=0.0), Lrp("epsilon"), Lrp("gamma")]


@pytest.mark.parametrize("explainer", RULES, ids=repr)
def test_contract(explainer):
    check_explainer(explainer, CNN, TWO)


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
@pytest.mark.parametrize("architecture", TEXTS, ids=lambda one: type(one).__name__)
def test_contract_of_texts(architecture, task):
    check_explainer(Lrp("epsilon"), architecture, task)


@pytest.mark.parametrize("cell", CELLS)
def test_contract_of_strips(cell):
    check_explainer(Lrp("alphabeta"), cell(bias=1e-6), STRIPS)


def captums(model, rule, images, target, sign=1.0):
    """captum's LRP of a LeNet of torch's modules, and its output, times ``sign``."""
    net = Net(model)
    with torch.no_grad():
        for parameter in net.layers[-1].parameters():
            parameter.mul_(sign)
    for layer in net.layers:
        layer.rule = rule()
    for pool in net.pools:
        pool.rule = EpsilonRule(1e-15)
    found = captum.attr.LRP(net).attribute(images.clone().requires_grad_(), target=target)
    return found.detach(), net(images).detach()


def lenet_beside_captums(explainer, rule, strip, low):
    """Our LRP of a LeNet with moved biases, captum's of the same net; where the output is negative, captum's
    of the output turned round, turned back: see ``rules/net``."""
    task = replace(STRIPS, strip=strip)
    model = shake(build(Lenet(bias=1e-3), task), 1)
    images, target = whole(task, low=low)
    batch = Batch(images, torch.ones(images.shape[:2], dtype=torch.bool))
    side_by_side = images.transpose(1, 2).flatten(2)[:, None]
    ours = explainer.scores(run_of(model), batch, target)
    plain, logits = captums(model, rule, side_by_side, target)
    torch.testing.assert_close(logits, model(batch).logits.detach())
    turned, _ = captums(model, rule, side_by_side, target, sign=-1.0)
    negative = logits.gather(1, target[:, None])[:, 0] < 0
    theirs = torch.where(negative[:, None, None, None], -turned, plain)
    return ours, to_strips(theirs[:, 0], strip[0])


@pytest.mark.parametrize("strip", [(4, 8, 2), (4, 28, 7)])
@pytest.mark.parametrize("epsilon", [1e-6, 0.01])
def test_captums_epsilon(epsilon, strip):
    """Convolutions, average pooling and biases."""
    ours, theirs = lenet_beside_captums(
        Lrp("epsilon", epsilon=epsilon), lambda: EpsilonRule(epsilon), strip, low=-1.0
    )
    assert theirs.flatten(1).any(1).all()
    torch.testing.assert_close(ours, theirs, rtol=1e-7, atol=1e-9 * float(theirs.abs().max()))


@pytest.mark.parametrize("strip", [(4, 8, 2), (4, 28, 7)])
def test_captums_alpha_beta(strip):
    """Of images without negative pixels, captum told to leave the bias out: see ``rules/test_alpha_beta``."""
    ours, theirs = lenet_beside_captums(
        Lrp(alpha=1.0, beta=0.0), lambda: Alpha1_Beta0_Rule(set_bias_to_zero=True), strip, low=0.0
    )
    assert theirs.flatten(1).any(1).all()
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-7 * float(theirs.abs().max()))


def test_the_written_form():
    assert make("explainers", "lrp:alpha=2,beta=1") == Lrp(alpha=2.0, beta=1.0)
    assert make("explainers", "lrp:rule=epsilon,epsilon=0.1") == Lrp("epsilon", epsilon=0.1)


SIGNED = [*TEXTS[1:], Lstm(), Gru()]
RECTIFIED = [CNN, *(cell() for cell in CELLS if cell not in (Lstm, Gru))]


@pytest.mark.parametrize(
    ("architecture", "rule"), [(one, "epsilon") for one in SIGNED] + [(one, "alphabeta") for one in RECTIFIED]
)
def test_the_rule_follows_the_states_of_the_model(architecture, rule):
    task = TWO if "text" in architecture.reads else STRIPS
    model, batch = build(architecture, task), example(task)
    target = torch.zeros(5, dtype=torch.long)
    assert Lrp().suited(model) == Lrp(rule)
    assert torch.equal(*(one.scores(run_of(model), batch, target) for one in (Lrp(), Lrp(rule))))


def test_a_rule_that_is_asked_for_is_kept():
    model = build(Gru(), STRIPS)
    for asked in (Lrp("alphabeta"), Lrp("gamma"), Lrp("epsilon")):
        assert asked.suited(model) is asked
    assert Lrp(alpha=2.0, beta=1.0).suited(model) == Lrp("alphabeta", alpha=2.0, beta=1.0)


def test_without_beta_only_positive_parts_are_computed():
    assert isinstance(Lrp().rules(None, None), AlphaBeta)
    assert isinstance(Lrp(alpha=1.0, beta=0.0).rules(None, None), Taylor)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"alpha": 2.0},
            r"lrp: expected alpha − beta to be 1, but got 2\.0 − 0\.5: take alpha=1\.5 with beta=0\.5",
        ),
        (
            {"alpha": float("nan")},
            r"lrp: expected alpha − beta to be 1, but got nan − 0\.5: take alpha=1\.5 .*",
        ),
        ({"alpha": 0.5, "beta": -0.5}, r"lrp: expected beta to be at least 0, but got -0\.5"),
        ({"epsilon": -1.0}, r"lrp: expected epsilon to be at least 0, but got -1\.0"),
        ({"gamma": float("inf")}, r"lrp: expected gamma to be at least 0, but got inf"),
        ({"rule": "flat"}, "lrp: expected rule to be auto, alphabeta, epsilon or gamma, but got flat"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(BadSetting, match=f"^{message}$"):
        Lrp(**settings)
