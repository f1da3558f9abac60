"""Attention rollout."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Trace
from holdfast.explain.attention import Attention
from holdfast.explain.attention_last import AttentionLast
from holdfast.explain.rollout import Rollout
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import example
from tests.explain.attending import BERT4REC, ITEMS, NAMES, PARTNERS, SASREC, run_at, stochastic
from tests.explain.cases import CNN, TARGET, TWO
from tests.reference import attention as naive


@pytest.mark.parametrize(("architecture", "task"), PARTNERS, ids=NAMES)
def test_contract(architecture, task):
    check_explainer(Rollout(), architecture, task)


@given(case=stochastic(), residual=st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_twin(case, residual):
    weights, read = case
    words = torch.ones(1, len(read), dtype=torch.long)
    trace = Trace(read, tuple(weights[:, None]), read, read, read[None])
    scores = Rollout(residual).scores(lambda batch: trace, Batch(words, words.bool()), words[:, 0])
    expected = torch.tensor([naive.rollout(weights, read, residual)], dtype=torch.float64)
    torch.testing.assert_close(scores, expected)


@pytest.mark.parametrize("architecture", [SASREC, BERT4REC], ids=repr)
def test_twin_of_a_model(architecture):
    run, batch = run_at(architecture, ITEMS), example(ITEMS)
    trace, scores = run(batch), Rollout().scores(run, batch, TARGET)
    for row in range(5):
        expected = naive.rollout([block[row] for block in trace.attention], trace.read[row], 0.5)[:6]
        torch.testing.assert_close(scores[row], torch.tensor(expected).double() * batch.mask[row])


def test_a_whole_history_has_all_of_it():
    run, batch = run_at(SASREC, ITEMS), example(ITEMS)
    torch.testing.assert_close(
        Rollout(0.2).scores(run, batch, TARGET)[0].sum(), torch.tensor(1.0, dtype=torch.float64)
    )


def test_without_residual_one_block_is_its_attention():
    run, batch = run_at(replace(SASREC, blocks=1), ITEMS), example(ITEMS)
    scores = Rollout(residual=0.0).scores(run, batch, TARGET)
    torch.testing.assert_close(scores, AttentionLast().scores(run, batch, TARGET))


def test_of_a_model_that_only_pools_it_is_attention():
    run, batch = run_at(CNN, TWO), example(TWO)
    assert torch.equal(Rollout().scores(run, batch, TARGET), Attention().scores(run, batch, TARGET))


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^rollout: expected residual to be from 0 to 1, but got -0.1$"):
        Rollout(residual=-0.1)
