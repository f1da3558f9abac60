"""Integrated gradients."""

from functools import partial

import captum.attr
import pytest
import torch
from hypothesis import given
from torch.func import stack_module_state

from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.explain.integrated_gradients import IntegratedGradients
from holdfast.models.image.lenet import Lenet
from holdfast.models.image.rlstm import Rlstm
from holdfast.models.odds import log_odds
from holdfast.models.text.average import Average
from holdfast.models.text.bilstm import Bilstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from holdfast.train.scores import explain
from tests.explain.attending import member
from tests.explain.cases import CNN, PAIR, STRIPS, TARGET, TWO, assert_twin, captum_forward, cases, run_of
from tests.reference import explain as naive


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(IntegratedGradients(), CNN, task)


@pytest.mark.parametrize("cell", [Rlstm(), Lenet()], ids=repr)
def test_contract_of_strips(cell):
    check_explainer(IntegratedGradients(steps=4), cell, STRIPS)


@given(case=cases())
def test_twin(case):
    assert_twin(IntegratedGradients(steps=5, chunk=3), partial(naive.integrated_gradients, steps=5), case)


def test_captum_integrated_gradients():
    model, batch = build(CNN, TWO), example(TWO)
    theirs = captum.attr.IntegratedGradients(captum_forward(model, batch), multiply_by_inputs=True)
    embedded = model.embed(batch).detach()
    expected = theirs.attribute(embedded, n_steps=16, method="gausslegendre").sum(-1)
    ours = IntegratedGradients(steps=16).scores(run_of(model), batch, TARGET)
    torch.testing.assert_close(ours, expected)


def test_integrated_gradients_are_complete():
    model, batch = build(Average(hidden=8, dim=5), TWO), example(TWO)
    run = run_of(model)
    embedded = 20 * run.embed(batch)  # far from linear
    model.embedding.weight.data.mul_(20)
    whole, nothing = (
        log_odds(run(batch, Edit(embedded=at)).logits, TARGET) for at in (embedded, 0 * embedded)
    )
    scores = IntegratedGradients(steps=64).scores(run_of(model), batch, TARGET)
    torch.testing.assert_close(scores.sum(1), whole - nothing, rtol=1e-6, atol=1e-8)
    assert (whole - nothing).abs().max() > 0.1


def sharp(seed):
    """A BiLSTM so sure of itself that 32 steps miss up to five times what they should add up to."""
    return member(Bilstm(hidden=6, dim=5), TWO, seed, scale=8.0)


def test_captum_says_the_same_of_what_is_missed():
    model, batch = sharp(1), example(TWO).take(torch.arange(4))
    forward, embedded = captum_forward(model, batch, TARGET[:4]), model.embed(batch).detach()
    _, delta = captum.attr.IntegratedGradients(forward).attribute(
        embedded, n_steps=32, method="gausslegendre", return_convergence_delta=True
    )
    explainer, run = IntegratedGradients(steps=32), run_of(model)
    total = explainer.total(run, batch, TARGET[:4])
    lost = total - explainer.scores(run, batch, TARGET[:4]).sum(1)
    torch.testing.assert_close(-lost, delta.double(), rtol=1e-6, atol=1e-6)
    assert (lost / total).abs().max() > 4


def naive_steps(model, batch):
    """For each example the first of 32, 128 and 512 steps that misses at most 5 %, and its scores."""
    run, expected = run_of(model), []
    for row in range(len(batch)):
        one, target = batch.take(torch.tensor([row])), TARGET[[row]]
        for steps in (32, 128, 512):
            scores = IntegratedGradients(steps).scores(run, one, target)[0]
            total = float(IntegratedGradients().total(run, one, target))
            if abs(total - float(scores.sum())) <= 0.05 * abs(total):
                break
        expected.append((steps, scores, total - float(scores.sum())))
    return expected


@pytest.mark.parametrize("seeds", [(0, 1, 2), (1,), (2, 1)], ids=str)
def test_a_family_takes_as_many_steps_as_each_member_and_example_wants(seeds):
    """Whatever else is in the batch."""
    models, batch = [sharp(seed) for seed in seeds], example(TWO)
    stacked = {name: tensor.detach() for name, tensor in stack_module_state(models)[0].items()}
    arguments = IntegratedGradients(), batch, TARGET, None
    together = explain(models[0], stacked, *arguments, stacked=True)
    taken = set()
    for m, model in enumerate(models):
        alone = explain(model, run_of(model).parameters, *arguments, stacked=False)
        for row, (steps, scores, lost) in enumerate(naive_steps(model, batch)):
            for measured in (together.scores[m, row], alone.scores[0, row]):
                torch.testing.assert_close(measured, scores, rtol=1e-6, atol=1e-9)
            for measured in (together.lost[m, row], alone.lost[0, row]):
                assert float(measured) == pytest.approx(lost, abs=1e-8)
            taken.add(steps)
    assert taken == {32, 128, 512}


def test_steps_go_up_to_512():
    taken, explainer = [], IntegratedGradients(steps=8, chunk=7)
    while explainer is not None:
        taken.append((explainer.steps, explainer.chunk))
        explainer = explainer.finer()
    assert taken == [(8, 7), (128, 7), (512, 7)]
    assert IntegratedGradients(steps=600).finer() is None


@pytest.mark.parametrize("field", ["steps", "chunk"])
def test_bad_settings(field):
    message = f"^integrated_gradients: expected {field} to be at least 1, but got 0$"
    with pytest.raises(BadSetting, match=message):
        IntegratedGradients(**{field: 0})


@pytest.mark.parametrize("chunk", [1, 7, 10_000])
def test_the_chunk_changes_nothing(chunk):
    run, batch = run_of(build(CNN, TWO)), example(TWO)
    whole, cut = (IntegratedGradients(chunk=size).scores(run, batch, TARGET) for size in (256, chunk))
    torch.testing.assert_close(cut, whole)
