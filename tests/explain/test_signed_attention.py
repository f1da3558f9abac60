"""Attention with a sign."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.explain.signed_attention import WAYS, SignedAttention
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.attending import GRU, ITEMS, NAMES, PARTNERS, SASREC, run_at
from tests.explain.cases import TARGET, run_of


@pytest.mark.parametrize(("architecture", "task"), PARTNERS, ids=NAMES)
def test_contract(architecture, task):
    check_explainer(SignedAttention(), architecture, task)


@given(
    seed=st.integers(0, 99),
    by=st.sampled_from(sorted(WAYS)),
    least=st.sampled_from([0.0, 0.01, 0.3]),
    target=st.integers(0, 6),
)
def test_sign_and_support_are_those_of_leave_one_out_and_order_that_of_attention(seed, by, least, target):
    run, batch = run_at(SASREC, ITEMS, seed), example(ITEMS, seed=seed)
    targets = torch.full((5,), target)
    scores = SignedAttention(by, least).scores(run, batch, targets)
    drops, seen = LeaveOneOut().scores(run, batch, targets), WAYS[by]().scores(run, batch, targets)
    assert not (scores[drops < 0] > 0).any(), "what speaks against is named"
    assert not (scores[drops > 0] < 0).any(), "what speaks for is blamed"
    for signed, drop, attention in zip(scores, drops, seen, strict=True):
        counts = drop.abs() > least * drop.abs().max()
        assert not signed[~counts].any(), "what has no effect has a score"
        assert torch.equal(signed[counts].abs(), attention[counts]), "it is not attention's order"


def test_what_matters_less_than_a_tenth_of_the_most_is_not_named():
    run, batch = run_at(SASREC, ITEMS), example(ITEMS)
    scores = SignedAttention().scores(run, batch, TARGET)
    share = LeaveOneOut().scores(run, batch, TARGET).abs()
    share = share / share.amax(1, keepdim=True).clamp(min=1e-12)
    assert ((share > 0.01) & (share < 0.1)).any(), "the case is too easy"
    assert torch.equal(scores != 0, share > 0.1)


def against(item, target, width):
    """A model of one block that attends to all alike, in which one item speaks against the target."""
    model = build(Sasrec(dim=width, blocks=1), ITEMS)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        for block in model.blocks.stack:
            block.inputs[:, 2 * width :] = torch.eye(width)
            block.output.copy_(torch.eye(width))
            block.before.weight.fill_(1.0)
            block.after.weight.fill_(1.0)
        model.embedding.weight[:, 1] = 0.5
        model.embedding.weight[:, 0] = 1.0
        model.embedding.weight[item, 0] = -2.0
        model.embedding.weight[target] = torch.eye(width)[0]
    return model


def test_an_item_that_speaks_against_is_never_a_reason():
    model = against(item=5, target=9, width=4)
    items = torch.tensor([[2, 5, 3, 4, 7, 8]])
    batch = Batch(items, torch.ones_like(items).bool(), candidates=torch.tensor([[9, 1]]))
    for by in ("rollout", "attention_last", "attention_first"):
        scores = SignedAttention(by, least=0.01).scores(run_of(model), batch, torch.tensor([0]))[0]
        assert scores[1] < 0, f"{by}: the planted item is a reason"
        assert (scores[[0, 2, 3, 4]] > 0).all(), f"{by}: what speaks for is no reason"


def test_without_attention():
    message = "^signed_attention: expected a model with attention, but got one without: "
    with pytest.raises(BadSetting, match=message):
        SignedAttention().suits(run_at(GRU, ITEMS), example(ITEMS), TARGET)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            {"by": "flow"},
            "by to be one of rollout, attention_first, attention_last, gradient_rollout, but got flow",
        ),
        ({"least": 1.0}, "least to be from 0 to below 1, but got 1.0"),
        ({"chunk": 0}, "chunk to be at least 1, but got 0"),
    ],
)
def test_bad_settings(setting, message):
    with pytest.raises(BadSetting, match=f"^signed_attention: expected {message}$"):
        SignedAttention(**setting)
