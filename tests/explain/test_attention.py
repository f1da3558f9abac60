"""Attention."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Trace
from holdfast.explain.attention import Attention
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.attending import ITEMS, SASREC, TRANSFORMER, run_at
from tests.explain.cases import CNN, PAIR, TARGET, TWO, run_of


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(Attention(), CNN, task)


def test_attention_is_the_map_of_the_trace():
    model, batch = build(CNN, TWO), example(TWO)
    assert torch.equal(Attention().scores(run_of(model), batch, TARGET), model(batch).attention[0])


def test_contract_of_blocks():
    check_explainer(Attention(), SASREC, ITEMS)
    check_explainer(Attention(), TRANSFORMER, TWO)


def test_of_blocks_it_is_the_pooling_or_the_row_that_is_read():
    run, batch = run_at(TRANSFORMER, TWO), example(TWO)
    assert torch.equal(Attention().scores(run, batch, TARGET), run(batch).attention[-1])
    run, batch = run_at(SASREC, ITEMS), example(ITEMS)
    torch.testing.assert_close(
        Attention().scores(run, batch, TARGET), run(batch).attention[-1][:, :, -1].mean(1)
    )


def test_attention_that_is_not_there_is_an_error():
    class Blind:
        def __call__(self, batch):
            empty = torch.zeros(1)
            return Trace(empty, (), empty, empty)

    message = (
        "^attention: expected a model with attention, but got one without: "
        "choose gradient, leave_one_out or shapley instead$"
    )
    with pytest.raises(BadSetting, match=message):
        Attention().scores(Blind(), example(TWO), TARGET)
