"""Attention."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Trace
from holdfast.explain.attention import Attention
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CNN, PAIR, TARGET, TWO, run_of


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(Attention(), CNN, task)


def test_attention_is_the_map_of_the_trace():
    model, batch = build(CNN, TWO), example(TWO)
    assert torch.equal(Attention().scores(run_of(model), batch, TARGET), model(batch).attention[0])


def test_attention_that_is_not_there_is_an_error():
    class Blind:
        def __call__(self, batch):
            empty = torch.zeros(1)
            return Trace(empty, (), empty, empty)

    message = "^attention: expected a model with attention, but got one without: choose another$"
    with pytest.raises(BadSetting, match=message):
        Attention().scores(Blind(), example(TWO), TARGET)
