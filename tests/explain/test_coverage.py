"""What no rule covers is named."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Trace
from holdfast.core.rules import Part, activation, affine, constant, matmul, relu
from holdfast.explain.coverage import operation
from holdfast.explain.deep_taylor import DeepTaylor
from holdfast.explain.guided_backprop import GuidedBackprop
from holdfast.explain.lrp import Lrp
from holdfast.models.base import Model
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, PAIR, STRIPS, TARGET, TEXTS, TWO, run_of

LRP = Lrp("epsilon")


class Odd(Model):
    """One hidden layer, then whatever ``twist`` does to it."""

    def __init__(self, twist, obeys=True):
        super().__init__()
        self.first, self.second = nn.Parameter(torch.randn(4, 5)), nn.Parameter(torch.randn(5, 3))
        self.twist, self.obeys = twist, obeys

    def embed(self, batch):
        return batch.inputs * batch.mask[..., None, None]

    def encode(self, embedded, batch, edit):
        rules = edit.rules if self.obeys else None
        hidden = affine(rules, [Part(matmul, embedded.flatten(-3), self.first, "input")])
        return self.twist(hidden, rules)

    def decide(self, states, batch, edit):
        rules = edit.rules if self.obeys else None
        logits = affine(rules, [Part(matmul, states, self.second, "signed")])
        return Trace(logits, (), states, states)


BATCH = Batch(torch.linspace(0, 1, 8).view(2, 2, 2, 1), torch.ones(2, 2, dtype=torch.bool))
EXPECTED = "expected a model whose every operation has a rule, but this one"
MEND = "compute it through holdfast.core.rules, or choose another explainer"


def ask(model, explainer=LRP):
    explainer.suits(run_of(model), BATCH, torch.tensor([0, 1]))


@pytest.mark.parametrize(
    ("twist", "what"),
    [
        (lambda x, rules: x.tanh(), "has the operation Tanh, which no rule covers"),
        (lambda x, rules: x.sigmoid() * x, "has the operation Sigmoid, which no rule covers"),
        (lambda x, rules: F.softmax(x, -1), "has the operation Softmax, which no rule covers"),
        (lambda x, rules: x.exp(), "has the operation Exp, which no rule covers"),
        (lambda x, rules: F.gelu(x), "has the operation Gelu, which no rule covers"),
        (lambda x, rules: F.layer_norm(x, (5,)), "has the operation NativeLayerNorm, which no rule covers"),
        (lambda x, rules: x * x.relu(), r"multiplies two signals with each other \(Mul\)"),
        (
            lambda x, rules: torch.addcmul(x, x, x.relu()),
            r"multiplies two signals with each other \(Addcmul\)",
        ),
        (lambda x, rules: x @ (x.mT @ x), r"multiplies two signals with each other \(Mm\)"),
        (lambda x, rules: 1.0 / (3.0 + x.relu()), "has the operation Reciprocal, which no rule covers"),
        (lambda x, rules: x / (3.0 + x.relu()), r"divides by a signal \(Div\)"),
    ],
)
def test_what_no_rule_covers_is_named(twist, what):
    with pytest.raises(BadSetting, match=f"^lrp: {EXPECTED} {what}: {MEND}$"):
        ask(Odd(twist))


@pytest.mark.parametrize(
    "twist",
    [
        lambda x, rules: activation(rules, "tanh", x),
        lambda x, rules: relu(rules, x),
        lambda x, rules: constant(rules, x.sigmoid()) * x,
        lambda x, rules: x * 2.0 / 3.0 - x.flip(-1),
        lambda x, rules: torch.addcmul(x, x, torch.ones(5)),
        lambda x, rules: F.max_pool1d(F.avg_pool1d(F.pad(x, (1, 1))[:, None], 2, 1), 2, 1)[:, 0],
        lambda x, rules: torch.stack([x, x], 1).mean(1),
    ],
)
def test_what_is_covered_passes(twist):
    ask(Odd(twist))
    ask(Odd(twist), Lrp())


def test_a_model_that_does_not_listen_is_named():
    why = "does not use the rules: compute its layers through holdfast.core.rules, or choose another"
    with pytest.raises(BadSetting, match=f"^lrp: {EXPECTED} {why}$"):
        ask(Odd(lambda x, rules: relu(rules, x), obeys=False))


def test_a_model_that_lets_nothing_through_is_named():
    why = "has evidence that does not depend on its input: choose another explainer"
    with pytest.raises(BadSetting, match=f"^lrp: {EXPECTED} {why}$"):
        ask(Odd(lambda x, rules: x.detach()))


class Deaf(Odd):
    """One layer uses the rules, the other does not."""

    def __init__(self, layer):
        super().__init__(lambda x, rules: relu(rules, x))
        self.layer, self.bias = layer, nn.Parameter(torch.randn(3))

    def decide(self, states, batch, edit):
        return Trace(self.layer(states, self.second, self.bias), (), states, states)


@pytest.mark.parametrize(
    ("layer", "how"),
    [
        (lambda x, weight, bias: x @ weight, "Mm"),
        (lambda x, weight, bias: F.linear(x, weight.mT, bias), "Addmm"),
        (lambda x, weight, bias: x @ weight.square().softmax(0), "Mm"),
        (lambda x, weight, bias: torch.einsum("bi,ij->bj", x, weight), "Bmm"),
        (lambda x, weight, bias: F.conv1d(x[:, None], weight.mT[:, None])[..., 0], "Convolution"),
        (lambda x, weight, bias: (x[..., None] * weight).sum(-2), "Mul"),
    ],
)
@pytest.mark.parametrize("explainer", [DeepTaylor(), Lrp(), LRP], ids=repr)
def test_a_model_that_listens_to_half_is_named(explainer, layer, how):
    why = rf"has a layer that does not use the rules \({how}\)"
    with pytest.raises(BadSetting, match=f"{EXPECTED} {why}: {MEND}$"):
        ask(Deaf(layer), explainer)


def test_a_bias_and_constant_weights_of_the_models_own_pass():
    fixed = torch.rand(5, 3)
    ask(Deaf(lambda x, weight, bias: x @ fixed + bias))


def test_a_rectifier_that_would_not_be_guided_is_named():
    ask(Odd(lambda x, rules: relu(rules, x)), GuidedBackprop())
    ask(Odd(lambda x, rules: x.tanh()), GuidedBackprop())
    for twist, how in ((lambda x, rules: x.relu(), "Relu"), (lambda x, rules: x.clamp(min=0), "Clamp")):
        message = rf"^guided_backprop: {EXPECTED} has a rectifier that does not use the rules \({how}\)"
        with pytest.raises(BadSetting, match=message):
            ask(Odd(twist), GuidedBackprop())


@pytest.mark.parametrize(
    "explainer", [DeepTaylor(), Lrp(), Lrp("epsilon"), Lrp("gamma"), GuidedBackprop()], ids=repr
)
def test_every_model_of_the_catalogue_is_covered(explainer):
    for cell in CELLS:
        explainer.suits(run_of(build(cell(), STRIPS)), example(STRIPS), torch.arange(5) % 3)
    for architecture in TEXTS:
        for task in (TWO, PAIR):
            explainer.suits(run_of(build(architecture, task)), example(task), TARGET)


def test_it_works_where_gradients_are_off_and_leaves_none():
    model = Odd(lambda x, rules: relu(rules, x))
    with torch.no_grad():
        LRP.suits(run_of(model), BATCH, torch.tensor([0, 1]))
    assert all(parameter.grad is None for parameter in model.parameters())


def test_operation():
    x = torch.ones(1, requires_grad=True)
    assert operation(x.tanh().grad_fn) == "Tanh"
    assert operation((x + 1).grad_fn) == "Add"


def test_bounds_given_to_a_model_that_knows_no_rules_are_no_crash():
    with pytest.raises(BadSetting, match="does not use the rules"):
        ask(Odd(lambda x, rules: x, obeys=False), DeepTaylor())
