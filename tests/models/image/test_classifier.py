"""What all strip classifiers share: the constant logit, the bounds of their settings, the data they fit."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.func import stack_module_state, vmap

from holdfast.core.catalogue import catalogue
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.core.rules import ACTIVATIONS, Rules
from holdfast.core.settings import name_of
from holdfast.data.base import Task
from holdfast.models.image.classifier import Recurrent
from holdfast.models.image.convdeep import Convdeep
from holdfast.models.image.deep import Deep
from holdfast.models.image.fronts import Pixels
from holdfast.models.image.gru import Gru
from holdfast.models.image.lstm import Lstm
from holdfast.models.run import Run
from holdfast.models.text.average import Average
from holdfast.testing.model import build, check_model, example
from tests.examples import fewer
from tests.models.image.twin import SMALL, assert_twin, images, shake
from tests.reference.strips import classify

CELLS = [cls for cls in catalogue("models").values() if "image" in cls.reads]
SPOKEN = [cls for cls in CELLS if "text" in cls.reads]
TEXT = Task(12, ("no", "yes"))
WORDS = (
    "average, bert, bilstm, checkpoints, cnn, deep, deep_v2, gru, hf, lstm, rlstm, rnn, shallow, transformer"
)


def test_there_are_eleven():
    names = "conv+deep conv+rlstm convdeep convrlstm deep deep_v2 gru lenet lstm rlstm shallow"
    assert [name for name, cls in catalogue("models").items() if cls in CELLS] == names.split()


@pytest.mark.parametrize("cell", CELLS, ids=name_of)
def test_contract(cell):
    check_model(cell(bias=0.0001), SMALL)


def test_contract_where_all_steps_share_a_draw():
    check_model(Deep(stationary=True, bias=0.0001), SMALL)


@pytest.mark.parametrize("cell", CELLS, ids=name_of)
@fewer(4)
@given(image=images(), seed=st.integers(0, 9))
def test_twin(cell, image, seed):
    assert_twin(cell(), image, seed)


@given(seed=st.integers(0, 99))
def test_the_loss_knows_a_constant_zero(seed):
    model, batch = build(Deep(), SMALL, seed), example(SMALL, seed=seed)
    logits = model(batch).logits
    for row, target in enumerate(batch.targets.tolist()):
        powers = [torch.exp(logit) for logit in logits[row]] + [torch.tensor(1.0).double()]
        torch.testing.assert_close(model.losses(batch)[row], -torch.log(powers[target] / sum(powers)))


def test_logits_are_the_evidence():
    model, batch = build(Deep(), Task(0, ("a", "b"), strip=(2, 8, 4))), example(SMALL)
    logits = model(Batch(torch.rand(3, 2, 8, 4), torch.ones(3, 2).bool())).logits
    assert torch.equal(model.evidence(logits), logits)
    assert logits[:, 0].any()
    assert model(Batch(batch.inputs.view(5, 2, 8, 4), torch.ones(5, 2).bool())).attention == ()


@pytest.mark.parametrize("strip", [(4, 8, 2), (2, 8, 4), (1, 8, 8), (12, 8, 2), (1, 28, 28), (7, 28, 4)])
@pytest.mark.parametrize("cell", CELLS)
def test_any_strips(cell, strip):
    model = cell().build(Task(0, ("a", "b", "c"), strip=strip))
    batch = Batch(2 * torch.rand(2, *strip) - 1, torch.ones(2, strip[0]).bool(), torch.tensor([0, 2]))
    noise = {name: torch.rand(shape) for name, shape in model.noise(batch).items()}
    assert model(batch).logits.shape == (2, 3)
    assert model.losses(batch, Edit(noise=noise)).isfinite().all()


@pytest.mark.parametrize("cell", CELLS)
def test_draws_are_for_each_step_or_for_all(cell):
    batch = example(SMALL)
    for stationary in (False, True):
        shapes = build(cell(stationary=stationary), SMALL).noise(batch)
        assert shapes
        assert all(shape[0] == 5 for shape in shapes.values())
        stepwise = [shape for name, shape in shapes.items() if name.startswith(("front", "hidden"))]
        assert all(shape[1:-1] == (() if stationary else (4,)) for shape in stepwise)
    assert build(cell(dropout=0.0), SMALL).noise(batch) == {}


def test_dropout_of_every_fully_connected_layer():
    shapes = build(Deep(), SMALL).noise(example(SMALL))
    assert shapes == {
        "front0": (5, 4, 256),
        "recurrent": (5, 4, 256),
        "hidden": (5, 4, 128),
        "head0": (5, 32),
    }


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dropout": 1.0}, r"deep: expected dropout to be at least 0 and below 1, but got 1\.0"),
        ({"bias": 0.0}, r"deep: expected bias to be above 0 and at most 100\.0, but got 0\.0"),
        ({"bias": 1e9}, r"deep: expected bias to be above 0 and at most 100\.0, but got 1000000000\.0"),
        ({"dim": 0}, "deep: expected dim to be at least 1, but got 0"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(BadSetting, match=f"^{message}$"):
        Deep(**settings)


class Nothing(Rules):
    """Rules that change nothing, but see what the models hand over."""

    def __init__(self):
        self.seen, self.constants = [], 0

    def affine(self, parts, bias):
        total = 0.0
        for part in parts:
            x = part.x[0] if part.domain == "input" else part.x
            assert part.domain != "positive" or (x >= 0).all()
            y = part.op(x, part.weight)
            torch.testing.assert_close(part.op(2 * x, part.weight), 2 * y)
            torch.testing.assert_close(part.op(x, 3 * part.weight), 3 * y)
            self.seen.append(part.domain)
            total = total + y
        return total + bias

    def relu(self, x):
        return x.relu()

    def activation(self, name, x):
        return ACTIVATIONS[name](x)

    def constant(self, x):
        self.constants += 1
        return x.detach()


@pytest.mark.parametrize("cell", CELLS)
def test_under_rules_the_values_stay(cell):
    model, batch, rules = shake(build(cell(), SMALL), 5), example(SMALL), Nothing()
    plain, embedded = model(batch), model.embed(batch)
    signals = torch.stack([embedded, -embedded, torch.ones_like(embedded)])
    trace = model(batch, Edit(embedded=signals, rules=rules))
    torch.testing.assert_close(trace.logits, plain.logits)
    torch.testing.assert_close(trace.states, plain.states)
    assert trace.embedded is signals
    stepwise = isinstance(model, Recurrent) and (isinstance(model.front, Pixels) or "+" in name_of(cell))
    assert rules.seen.count("input") == (4 if stepwise else 1)
    assert ("signed" in rules.seen) == (cell in (Lstm, Gru))
    assert rules.constants == (4 if "lstm" in name_of(cell) or cell is Gru else 0)


@pytest.mark.parametrize("cell", CELLS)
def test_ops_are_safe_under_vmap(cell):
    models, batch = [shake(build(cell(), SMALL), seed) for seed in range(2)], example(SMALL)
    stacked = {name: tensor.detach() for name, tensor in stack_module_state(models)[0].items()}

    def ruled(parameters):
        run = Run(models[0], parameters)
        return run(batch, Edit(embedded=run.embed(batch)[None], rules=Plain())).logits

    mapped = vmap(ruled, randomness="error")(stacked)
    for logits, model in zip(mapped, models, strict=True):
        torch.testing.assert_close(logits, model(batch).logits)


class Plain(Nothing):
    """The same without looking."""

    def affine(self, parts, bias):
        return (
            sum(part.op(part.x[0] if part.domain == "input" else part.x, part.weight) for part in parts)
            + bias
        )


@pytest.mark.parametrize("cell", SPOKEN, ids=name_of)
def test_contract_of_words(cell):
    check_model(cell(dim=5, bias=0.0001), TEXT)


@pytest.mark.parametrize("cell", SPOKEN, ids=name_of)
def test_a_word_is_a_strip_as_high_as_its_vector(cell):
    batch, seed = example(TEXT), 3
    model = shake(build(cell(dim=5), TEXT, seed), seed)
    vectors = model.embedding.weight[batch.inputs].detach()[..., None]
    for row, logits in enumerate(model(batch).logits):
        expected = torch.tensor(classify(model, vectors[row].numpy(), batch.mask[row].numpy()))
        torch.testing.assert_close(logits.detach(), expected, rtol=1e-10, atol=1e-12)


def test_known_vectors_are_taken():
    vectors = torch.rand(12, 7)
    model = Deep().build(Task(12, ("no", "yes"), vectors=vectors))
    assert torch.equal(model.embedding.weight[1:], vectors[1:])
    assert model.front.layers[0].weight.shape == (7, 256)


def test_pairs_are_refused():
    with pytest.raises(BadSetting, match=r"^deep: expected single texts, but got pairs: take a text model$"):
        Deep().build(Task(12, ("no", "yes"), pair=True))


def test_words_are_refused():
    message = f"^convdeep: expected image data, but got text data: choose one of {WORDS}$"
    with pytest.raises(BadSetting, match=message):
        Convdeep().build(TEXT)


def test_and_strips_by_the_models_of_words():
    message = r"^average: expected text data, but got image data: choose one of conv\+deep, .*, shallow$"
    with pytest.raises(BadSetting, match=message):
        Average().build(SMALL)
