"""The recurrent control."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from holdfast.core.records import PLAIN, Batch
from holdfast.models.interaction.gru4rec import Gru4rec
from holdfast.testing.model import build, check_model
from tests.examples import fewer
from tests.models.interaction.twin import TASK, assert_next_item, histories
from tests.reference import recommend


@pytest.mark.parametrize("architecture", [Gru4rec(dim=6), Gru4rec(dim=4, loss="softmax", dropout=0.0)])
def test_contract(architecture):
    check_model(architecture, TASK)


@pytest.mark.parametrize("loss", ["bce", "sampled", "softmax"])
@fewer(3)
@given(batch=histories(), seed=st.integers(0, 9))
def test_twin(loss, batch, seed):
    def states(model, items, mask):
        return recommend.gru(model, items, mask), ()

    assert_next_item(Gru4rec(dim=5, loss=loss), batch, seed, states)


def test_torch_agrees():
    model = build(Gru4rec(dim=5), TASK)
    twin = nn.GRU(5, 5, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        twin.weight_ih_l0.copy_(model.inputs.T)
        twin.weight_hh_l0.copy_(model.states.T)
        twin.bias_ih_l0.copy_(model.bias)
        twin.bias_hh_l0.zero_()
        twin.bias_hh_l0[10:].copy_(model.inner)
    batch = Batch(torch.randint(1, 12, (3, 6)), torch.ones(3, 6, dtype=torch.bool))
    embedded = model.embed(batch)
    ours, maps = model.hidden(model.encode(embedded, batch, PLAIN), batch, PLAIN)
    torch.testing.assert_close(ours, twin(embedded)[0])
    assert maps == ()
    assert not Gru4rec.attends
