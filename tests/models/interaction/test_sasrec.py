"""Causal self-attention over histories."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.testing.histories import histories as example
from holdfast.testing.model import build, check_model
from tests.examples import fewer
from tests.models.interaction.twin import TASK, assert_next_item, histories
from tests.reference import recommend

SMALL = Sasrec(dim=8, heads=2)


@pytest.mark.parametrize(
    "architecture",
    [SMALL, Sasrec(dim=6, blocks=1, loss="softmax"), Sasrec(dim=6, blocks=3, loss="sampled", dropout=0.0)],
)
def test_contract(architecture):
    check_model(architecture, TASK)


@pytest.mark.parametrize("loss", ["bce", "sampled", "softmax"])
@fewer(3)
@given(batch=histories(), seed=st.integers(0, 9))
def test_twin(loss, batch, seed):
    assert_next_item(Sasrec(dim=6, heads=2, loss=loss), batch, seed, recommend.sasrec)


def test_the_last_position_asks_even_without_its_item():
    model, batch = build(SMALL, TASK), example(TASK, 6)
    gone = replace(batch, mask=batch.mask & (torch.arange(6) < 5))
    first, _ = model(gone).attention
    assert torch.allclose(first[:1, :, -1].sum(-1), torch.ones(()).double())
    assert not first[..., -1].any()


def test_a_later_item_changes_no_earlier_state():
    model, batch = build(SMALL, TASK), example(TASK, 6)
    other = replace(batch, inputs=torch.cat([batch.inputs[:, :-1], batch.inputs[:, -1:] % 3 + 1], 1))
    one, two = (model.hidden(model.encode(model.embed(b), b, PLAIN), b, PLAIN)[0] for b in (batch, other))
    assert torch.equal(one[:, :-1], two[:, :-1])
    assert not torch.equal(one[:, -1], two[:, -1])


def test_sizes_of_the_document():
    model = Sasrec(blocks=1).build(replace(TASK, length=50))
    assert model.embedding.weight.shape == (12, 64)
    assert model.positions.shape == (50, 64)
    own = sum(p.numel() for p in model.blocks.parameters())
    assert own == 6 * 64 * 64 + 2 * 64 + 4 * 64
    assert model.negatives == 1
    assert Sasrec(loss="softmax").build(TASK).negatives == 0


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^sasrec: expected blocks to be at least 1, but got 0$"):
        Sasrec(blocks=0)
    with pytest.raises(
        BadSetting, match=r"^sasrec: expected heads to be a divisor of dim, which is 64, but got 3$"
    ):
        Sasrec(heads=3)
