"""Relevance: conserved, the explicit backward pass's, and untouched by padding, neighbours and vmap."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.func import stack_module_state, vmap

from holdfast.core.records import Batch, Edit, Member
from holdfast.explain.deep_taylor import DeepTaylor
from holdfast.explain.lrp import Lrp
from holdfast.explain.random import Random
from holdfast.explain.rules.taylor import Taylor
from holdfast.models.image.deep import Deep
from holdfast.models.image.gru import Gru
from holdfast.models.image.lstm import Lstm
from holdfast.models.run import Run
from holdfast.models.text.bilstm import Bilstm
from holdfast.testing.model import build, example
from holdfast.train.family import Family
from tests.examples import fewer
from tests.explain.cases import CELLS, SPOKEN, STRIPS, TEXTS, TWO, cell_of, evidence, run_of, strips
from tests.models.image.twin import shake
from tests.reference import relevance as naive

RULES = {
    "deep_taylor": (DeepTaylor(), naive.Rule("taylor", "zbeta")),
    "wsquare": (DeepTaylor("wsquare"), naive.Rule("taylor", "wsquare")),
    "zplus": (DeepTaylor("zplus"), naive.Rule("taylor")),
    "alphabeta": (Lrp("alphabeta"), naive.Rule("alphabeta", alpha=1.5, beta=0.5)),
    "two-one": (Lrp(alpha=2.0, beta=1.0), naive.Rule("alphabeta", alpha=2.0, beta=1.0)),
    "one-zero": (Lrp(alpha=1.0, beta=0.0), naive.Rule("alphabeta")),
    "epsilon": (Lrp("epsilon", epsilon=0.01), naive.Rule("epsilon", epsilon=0.01)),
    "gamma": (Lrp("gamma"), naive.Rule("gamma", gamma=0.25)),
}
COMMON = fewer(6)


def assert_same(relevance, expected):
    """To 1e-9 of the largest."""
    expected = torch.tensor(expected)
    torch.testing.assert_close(
        relevance, expected, rtol=1e-9, atol=1e-10 * max(float(expected.abs().max()), 1e-3)
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("cell", CELLS)
@COMMON
@given(image=strips())
def test_the_explicit_backward_pass_of_every_cell(cell, rule, image):
    (batch, seed), (explainer, twin) = image, RULES[rule]
    model, target = cell_of(cell, batch, seed), seed % 3
    result = explainer.relevance(run_of(model), batch, torch.tensor([target]))
    pixels, mask = batch.inputs[0].numpy(), batch.mask[0].numpy()
    scores, value = naive.of_strips(model, pixels, mask, twin, target)
    assert_same(result.scores[0], scores)
    assert float(result.evidence) == pytest.approx(value, rel=1e-9)
    assert float(result.lost) == pytest.approx(value - scores.sum(), abs=1e-9)


@pytest.mark.parametrize("rule", [name for name in RULES if name != "deep_taylor"])
@pytest.mark.parametrize("architecture", TEXTS)
@COMMON
@given(data=st.data())
def test_the_explicit_backward_pass_of_every_text_model(architecture, rule, data):
    length, classes = data.draw(st.integers(1, 7)), data.draw(st.integers(2, 3))
    words = torch.tensor(data.draw(st.lists(st.integers(1, 11), min_size=length, max_size=length)))
    mask = torch.tensor(data.draw(st.lists(st.booleans(), min_size=length, max_size=length).filter(any)))
    seed, (explainer, twin) = data.draw(st.integers(0, 9)), RULES[rule]
    task = type(TWO)(12, ("a", "b", "c")[:classes])
    model, target = shake(build(architecture, task, seed), seed), seed % classes
    result = explainer.relevance(run_of(model), Batch(words[None], mask[None]), torch.tensor([target]))
    scores, value = naive.of_text(model, words, mask, twin, target)
    assert_same(result.scores[0], scores)
    assert float(result.evidence) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("rule", ["wsquare", "alphabeta", "epsilon"])
@pytest.mark.parametrize("cell", SPOKEN)
@COMMON
@given(data=st.data())
def test_the_explicit_backward_pass_of_cells_that_read_words(cell, rule, data):
    words = torch.tensor(data.draw(st.lists(st.integers(1, 11), min_size=1, max_size=5)))
    mask = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)).filter(any))
    seed, (explainer, twin) = data.draw(st.integers(0, 9)), RULES[rule]
    model, batch = shake(build(cell(dim=5), TWO, seed), seed), Batch(words[None], torch.tensor([mask]))
    result = explainer.relevance(run_of(model), batch, torch.tensor([seed % 2]))
    vectors = model.embedding.weight.detach()[words][..., None].numpy()
    scores, value = naive.of_strips(model, vectors, batch.mask[0].numpy(), twin, seed % 2)
    assert_same(result.scores[0], scores.sum((1, 2)))
    assert float(result.evidence) == pytest.approx(value, rel=1e-9)


class Spy(Taylor):
    """Notes whether a tanh unit has no part of its own sign, because its bias alone gives it.

    Only the plain LSTM and GRU have such: their biases are of any sign, and tanh lets negative sums pass.
    """

    starved = False

    def ahead(self, part):
        return part

    def affine(self, parts, bias):
        if len(parts) == 2:
            whole, above, below = self.products(parts)
            z = torch.where(whole + bias >= 0, above, below)
            self.starved |= bool(((z == 0) & (whole + bias != 0)).any())
        return super().affine(parts, bias)


def starved(explainer, model, batch, target):
    """Whether some unit before the logits receives relevance that it can hand to none of its inputs."""
    embedded = model.embed(batch)
    leaves = explainer.leaves(batch, embedded)
    spy = Spy(explainer.rules(batch, embedded).entry)
    run_of(model)(batch, Edit(embedded=leaves, rules=spy))
    return spy.starved


def passable(model, states, target, evidence):
    """Whether the explained logit has a part of its own sign at all."""
    weight = model.logits.weight.detach()[:, target]
    return bool((states.detach() * weight * evidence > 0).any())


@pytest.mark.parametrize(
    ("explainer", "dtype", "tolerance"),
    [
        (DeepTaylor(), torch.float64, 1e-10),
        (DeepTaylor(), torch.float32, 1e-5),
        (DeepTaylor("zplus"), torch.float64, 1e-10),
        (DeepTaylor("wsquare"), torch.float64, 1e-10),
    ],
)
@pytest.mark.parametrize("cell", CELLS)
@fewer(4)
@given(image=strips(), scale=st.sampled_from([1.0, 2.0, 4.0]))
def test_relevance_is_conserved(cell, explainer, dtype, tolerance, image, scale):
    batch, seed = image
    model = cell_of(cell, batch, seed, scale).to(dtype)
    batch = Batch(batch.inputs.to(dtype), batch.mask)
    target = torch.tensor([seed % 3])
    result = explainer.relevance(run_of(model), batch, target)
    assert result.scores.isfinite().all()
    largest = float(model(batch).logits.abs().max().detach())
    plain = evidence(model, batch, target)
    torch.testing.assert_close(result.evidence, plain, rtol=tolerance, atol=10 * tolerance * largest)
    if not batch.mask.any() or not passable(model, model(batch).states[0], seed % 3, plain):
        assert not result.scores.any()
        assert torch.equal(result.lost, result.evidence)
    elif cell not in (Lstm, Gru) or not starved(explainer, model, batch, target):
        assert abs(float(result.lost)) <= tolerance * abs(float(result.evidence))


@pytest.mark.parametrize(
    "explainer", [DeepTaylor(), Lrp("alphabeta"), Lrp("epsilon"), Lrp("gamma")], ids=repr
)
@pytest.mark.parametrize("cell", CELLS)
def test_nothing_gives_nan(cell, explainer):
    batch = example(STRIPS)
    batch.inputs[0] = 0.0  # a whole image of zeros
    batch.inputs[1, 1] = 0.0  # a strip of zeros
    target = torch.arange(5) % 3
    model = build(cell(bias=1e-6), STRIPS)
    assert explainer.scores(run_of(model), batch, target).any()
    # alive; all negative, and so dead; nothing at all
    for change in (torch.clone, lambda p: -p.abs(), torch.zeros_like):
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.copy_(change(parameter))
        result = explainer.relevance(run_of(model), batch, target)
        for tensor in (result.scores, result.lost, result.evidence):
            assert tensor.isfinite().all()
        torch.testing.assert_close(result.evidence, evidence(model, batch, target))


@pytest.mark.parametrize("explainer", [DeepTaylor(), Lrp("alphabeta")], ids=repr)
def test_members_stacked_lose_what_each_loses(explainer):
    models = [build(Deep(), STRIPS, seed) for seed in range(3)]
    stacked = {name: tensor.detach() for name, tensor in stack_module_state(models)[0].items()}
    batch, target = example(STRIPS), torch.arange(5) % 3
    mapped = vmap(lambda parameters: explainer.relevance(Run(models[0], parameters), batch, target))(stacked)
    for member, model in enumerate(models):
        alone = explainer.relevance(run_of(model), batch, target)
        torch.testing.assert_close(mapped.scores[member], alone.scores)
        torch.testing.assert_close(mapped.lost[member], alone.lost)


@pytest.mark.parametrize(
    "explainer", [DeepTaylor(), Lrp("alphabeta"), Lrp("epsilon"), Lrp("gamma")], ids=repr
)
def test_what_is_shared_out_are_the_logits_divided_by_the_temperature(explainer):
    model, batch, target = build(Deep(), STRIPS), example(STRIPS), torch.arange(5) % 3
    weights = run_of(model).parameters
    warm = Run(model, weights | {"temperature": torch.tensor(2.5)})
    explainer.suits(warm, batch, target)
    plain, divided = (explainer.relevance(run, batch, target) for run in (Run(model, weights), warm))
    torch.testing.assert_close(divided.evidence, evidence(model, batch, target) / 2.5)
    torch.testing.assert_close(divided.scores, plain.scores / 2.5)
    torch.testing.assert_close(divided.scores.flatten(1).sum(1) + divided.lost, divided.evidence)


def test_token_relevance_of_a_bilstm_is_one_line(planted):
    members, split, rows = [Member(0), Member(1)], planted.splits["test"], torch.arange(6)
    family = Family.init(Bilstm(hidden=6, dim=5), planted.task, members)
    target = split.targets[rows]
    explanation = family.explain(Lrp("epsilon"), split, rows, target)
    assert explanation.scores.shape[:2] == (2, 6)
    for member in range(2):
        alone = Lrp("epsilon").relevance(family.run(member), split.batch(rows), target)
        torch.testing.assert_close(explanation.lost[member].float(), alone.lost, rtol=1e-4, atol=1e-5)
    assert family.explain(Random(), split, rows, target).lost is None


def test_epsilon_without_bias_and_epsilon_conserves():
    """Gates as constants: an LSTM without biases loses nothing (Arras et al. 2017)."""
    model = build(Bilstm(hidden=6, dim=5), TWO)
    with torch.no_grad():
        model.encoder.bias[..., 18:].zero_()
        model.head.bias.zero_()
    batch, target = example(TWO), torch.tensor([0, 1, 1, 0, 1])
    result = Lrp("epsilon", epsilon=0.0).relevance(run_of(model), batch, target)
    torch.testing.assert_close(result.lost, torch.zeros(5).double(), rtol=0.0, atol=1e-12)
    assert result.evidence[:4].abs().min() > 1e-3
