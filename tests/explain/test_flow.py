"""Attention flow."""

from dataclasses import replace

import networkx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.explain.attention import Attention
from holdfast.explain.flow import Flow, flows
from holdfast.explain.maps import mixed
from holdfast.explain.rollout import Rollout
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import example
from tests.explain.attending import ITEMS, NAMES, PARTNERS, SASREC, TRANSFORMER, run_at, stochastic
from tests.explain.cases import CNN, TARGET, TWO
from tests.reference import attention as naive


@pytest.mark.parametrize(("architecture", "task"), PARTNERS, ids=NAMES)
def test_contract(architecture, task):
    check_explainer(Flow(), architecture, task)


def test_contract_of_three_blocks():
    check_explainer(Flow(), replace(SASREC, blocks=3), ITEMS)


@given(case=stochastic(), residual=st.sampled_from([0.0, 0.5, 0.9]))
def test_twin(case, residual):
    weights, read = case
    flow = flows(read[None], tuple(mixed(block[None], residual) for block in weights))
    expected = torch.tensor([naive.flow(weights, read, residual)], dtype=torch.float64)
    torch.testing.assert_close(flow, expected, rtol=0, atol=1e-7)


def test_networkx():
    generator = torch.Generator().manual_seed(3)
    blocks = [torch.rand(6, 6, generator=generator).double().softmax(-1) for _ in range(3)]
    read = torch.rand(6, generator=generator).double().softmax(-1)
    graph = networkx.DiGraph()
    for t in range(6):
        graph.add_edge("output", (3, t), capacity=float(read[t]))
    for level, block in enumerate(blocks, 1):
        for q in range(6):
            for k in range(6):
                graph.add_edge((level, q), (level - 1, k), capacity=float(block[q, k]))
    expected = [networkx.maximum_flow_value(graph, "output", (0, k)) for k in range(6)]
    flow = flows(read[None], tuple(block[None] for block in blocks))
    torch.testing.assert_close(flow, torch.tensor([expected]).double(), rtol=0, atol=1e-7)


def test_of_one_block_it_is_rollout():
    run, batch = run_at(replace(SASREC, blocks=1), ITEMS), example(ITEMS)
    torch.testing.assert_close(Flow().scores(run, batch, TARGET), Rollout().scores(run, batch, TARGET))


def test_of_a_model_that_only_pools_it_is_attention():
    run, batch = run_at(CNN, TWO), example(TWO)
    assert torch.equal(Flow(longest=1).scores(run, batch, TARGET), Attention().scores(run, batch, TARGET))


def test_it_is_never_less_than_rollout():
    run, batch = run_at(TRANSFORMER, TWO), example(TWO)
    assert (Flow().scores(run, batch, TARGET) >= Rollout().scores(run, batch, TARGET) - 1e-7).all()


def test_what_is_too_long_is_refused():
    message = "^flow: expected at most 5 positions, but got 6: choose rollout instead, or a larger longest$"
    with pytest.raises(BadSetting, match=message):
        Flow(longest=5).scores(run_at(SASREC, ITEMS), example(ITEMS), TARGET)


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^flow: expected longest to be at least 1, but got 0$"):
        Flow(longest=0)
    with pytest.raises(BadSetting, match=r"^flow: expected residual to be from 0 to 1, but got 2.0$"):
        Flow(residual=2.0)
