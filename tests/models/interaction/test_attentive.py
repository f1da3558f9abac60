"""What recommenders by self-attention share: who is read, and how little need be computed for it."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.records import PLAIN, Edit
from holdfast.models.interaction.bert4rec import Bert4rec
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.testing.histories import histories
from holdfast.testing.model import build
from tests.models.interaction.twin import TASK

BOTH = (Sasrec(dim=6, heads=2), Bert4rec(dim=6, heads=2))


@pytest.mark.parametrize("architecture", BOTH)
def test_the_last_position_is_read(architecture):
    model, batch = build(architecture, TASK), histories(TASK, 6)
    trace = model(batch)
    length = 6 + model.extra
    assert torch.equal(trace.read, torch.eye(length).double()[-1].expand(5, -1))
    assert [tuple(one.shape) for one in trace.attention] == [(5, 2, length, length)] * 2


@pytest.mark.parametrize("architecture", BOTH)
def test_dropout_is_that_of_the_whole_pass(architecture):
    """The short ways read the draws of the rows that they compute."""
    model, batch = build(architecture, TASK), histories(TASK, 6)
    dice = torch.Generator().manual_seed(0)
    noise = {name: torch.rand(shape, generator=dice) for name, shape in model.noise(batch).items()}
    edit = Edit(noise=noise)
    states = model.encode(model.embed(batch), batch, edit)
    every, _ = model.hidden(states, batch, edit)
    torch.testing.assert_close(model.last(states, batch, edit), every[:, -1])
    torch.testing.assert_close(model.read(states, batch, edit)[0], every[:, -1])


@pytest.mark.parametrize("architecture", BOTH)
def test_positions_are_counted_from_the_right(architecture):
    model, batch = build(architecture, TASK), histories(TASK, 6)
    states = model.encode(torch.zeros_like(model.embed(batch)), batch, PLAIN)
    own = states[0, :6] - model.positions[-6 - model.extra :][:6]
    assert not own.any()


def test_the_mask_token_is_a_member_of_the_empty_history():
    model, batch = build(Bert4rec(dim=6), TASK), histories(TASK, 6)
    empty = replace(batch, mask=torch.zeros_like(batch.mask))
    first, _ = model(empty).attention
    assert torch.equal(first[:, 0, -1], torch.eye(7).double()[-1].expand(5, -1))
