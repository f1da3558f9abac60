"""Attention of the last block."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.explain.attention import Attention
from holdfast.explain.attention_last import AttentionLast
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import example
from tests.explain.attending import BERT4REC, ITEMS, NAMES, PARTNERS, SASREC, TRANSFORMER, run_at
from tests.explain.cases import CNN, TARGET, TWO


@pytest.mark.parametrize(("architecture", "task"), PARTNERS, ids=NAMES)
def test_contract(architecture, task):
    check_explainer(AttentionLast(), architecture, task)


@pytest.mark.parametrize("architecture", [SASREC, BERT4REC], ids=repr)
def test_of_a_recommender_it_is_the_last_row(architecture):
    run, batch = run_at(architecture, ITEMS), example(ITEMS)
    weights = run(batch).attention[-1][:, :, -1, :6]
    torch.testing.assert_close(AttentionLast().scores(run, batch, TARGET), weights.mean(1))
    for head in (0, 1):
        assert torch.equal(AttentionLast(head).scores(run, batch, TARGET), weights[:, head])


def test_of_a_text_rows_count_by_the_pooling():
    run, batch = run_at(TRANSFORMER, TWO), example(TWO)
    *blocks, pooled = run(batch).attention
    expected = torch.einsum("bt,bhtk->bk", pooled, blocks[-1]) / 2
    torch.testing.assert_close(AttentionLast().scores(run, batch, TARGET), expected)


def test_of_a_model_that_only_pools_it_is_attention():
    run, batch = run_at(CNN, TWO), example(TWO)
    scores = AttentionLast().scores(run, batch, TARGET)
    assert torch.equal(scores, Attention().scores(run, batch, TARGET))


def test_bad_heads():
    with pytest.raises(
        BadSetting, match=r"^attention_last: expected head to be none, 0 or more, but got -1$"
    ):
        AttentionLast(head=-1)
    message = (
        "^attention_last: expected head to be one of the model's, but got 2: there are 2, counted from 0$"
    )
    with pytest.raises(BadSetting, match=message):
        AttentionLast(head=2).scores(run_at(SASREC, ITEMS), example(ITEMS), TARGET)
