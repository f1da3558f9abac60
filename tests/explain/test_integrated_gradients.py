"""Integrated gradients."""

from functools import partial

import captum.attr
import pytest
import torch
from hypothesis import given

from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.explain.integrated_gradients import IntegratedGradients
from holdfast.models.base import log_odds
from holdfast.models.strips.lenet import Lenet
from holdfast.models.strips.rlstm import Rlstm
from holdfast.models.text.average import Average
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
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
