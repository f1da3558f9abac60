"""Self-attention in both directions, and the cloze task."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Edit
from holdfast.models.interaction.bert4rec import Bert4rec, most_masked
from holdfast.testing.histories import histories as example
from holdfast.testing.model import build, check_model
from tests.examples import fewer
from tests.models.interaction.twin import NEAR, TASK, histories
from tests.reference import recommend


@pytest.mark.parametrize("architecture", [Bert4rec(dim=8, heads=2), Bert4rec(dim=6, blocks=1, masked=0.6)])
def test_contract(architecture):
    check_model(architecture, TASK)


@fewer(2)
@given(batch=histories(), seed=st.integers(0, 9))
def test_twin_of_predictions(batch, seed):
    model = build(Bert4rec(dim=6, heads=2), TASK, seed)
    trace = model(batch)
    for row in range(len(batch)):
        hidden, maps = recommend.bert4rec(
            model, [*batch.inputs[row].tolist(), None], [*batch.mask[row].tolist(), True]
        )
        wanted = [
            recommend.score(model.embedding.weight, hidden[-1], c) for c in batch.candidates[row].tolist()
        ]
        torch.testing.assert_close(trace.logits[row].tolist(), wanted, **NEAR)
        for ours, theirs in zip(trace.attention, maps, strict=True):
            torch.testing.assert_close(ours[row].tolist(), theirs, **NEAR)


@pytest.mark.parametrize("share", [0.3, 1.0])
@fewer(2)
@given(batch=histories(), seed=st.integers(0, 9))
def test_twin_of_losses(share, batch, seed):
    model = build(Bert4rec(dim=6, masked=share), TASK, seed)
    draws = torch.rand(model.noise(batch)["cloze"], generator=torch.Generator().manual_seed(seed))
    losses = model.losses(batch, Edit(noise={"cloze": draws})).tolist()
    for row in range(len(batch)):
        wanted = _loss(model, batch.take(torch.tensor([row])), draws[row].tolist(), share)
        assert abs(losses[row] - wanted) < 1e-9


def _loss(model, batch, draws, share):
    items = [*batch.inputs[0].tolist(), int(batch.following[0, -1])]
    exists = [*batch.mask[0].tolist(), True]
    masked = [t for t in range(len(items)) if exists[t] and draws[t] < share] or [len(items) - 1]
    given_ = [None if t in masked else item for t, item in enumerate(items)]
    hidden, _ = recommend.bert4rec(model, given_, exists)
    terms = [recommend.loss("softmax", model.embedding.weight, hidden[t], items[t], []) for t in masked]
    return sum(terms) / len(items)


def test_without_draws_the_last_item_is_asked():
    model, batch = build(Bert4rec(dim=6), TASK), example(TASK, 6)
    everything = model(replace(batch, candidates=None)).logits.log_softmax(1)
    wanted = -everything.gather(1, batch.following[:, -1:])[:, 0] / 7
    torch.testing.assert_close(model.losses(batch), wanted)


def test_surplus_is_masked_but_not_asked(monkeypatch):
    model, batch = build(Bert4rec(dim=6, masked=0.9), TASK), example(TASK, 6).take(torch.tensor([0]))
    draws = torch.tensor([[0.5, 0.1, 0.95, 0.3, 0.2, 0.4, 0.6]])
    monkeypatch.setattr("holdfast.models.interaction.bert4rec.most_masked", lambda *_: 2)
    items = [*batch.inputs[0].tolist(), int(batch.following[0, -1])]
    hidden, _ = recommend.bert4rec(model, [None, None, items[2], None, None, None, None], [True] * 7)
    table = model.embedding.weight
    wanted = sum(recommend.loss("softmax", table, hidden[t], items[t], []) for t in (1, 4)) / 7
    (found,) = model.losses(batch, Edit(noise={"cloze": draws})).tolist()
    assert abs(found - wanted) < 1e-9


def test_nothing_to_ask_costs_nothing():
    model, batch = build(Bert4rec(dim=6), TASK), example(TASK, 6)
    empty = replace(batch, mask=torch.zeros_like(batch.mask), following=torch.zeros_like(batch.following))
    assert torch.equal(model.losses(empty), torch.zeros(5).double())


def test_the_bound_is_hardly_ever_reached():
    draws = torch.rand(50_000, 4, 51, generator=torch.Generator().manual_seed(0))
    assert int(((draws < 0.2).sum((1, 2)) > most_masked(4, 51, 0.2)).sum()) < 10


def test_the_bound_of_short_windows_is_hardly_ever_reached():
    dice = torch.Generator().manual_seed(0)
    sizes = (0, 0, 9, 5, 3, 2, 1, 1, 1, *[0] * 15, 2)
    items = torch.tensor(sizes).double().multinomial(4_000 * 64, replacement=True, generator=dice)
    exists = torch.arange(len(sizes)) < items[:, None]
    for share in (0.3, 0.6):
        masked = (torch.rand(exists.shape, generator=dice).lt(share) & exists).sum(1).clamp(min=1)
        most = most_masked(64, 24, share, sizes)
        assert int((masked.view(-1, 64).sum(1) > most).sum()) < 4
        assert most < most_masked(64, 24, share)


def test_bad_input():
    with pytest.raises(
        BadSetting, match=r"^bert4rec: expected masked to be above 0 and at most 1, but got 0"
    ):
        Bert4rec(masked=0.0)
    with pytest.raises(BadSetting, match=r"^bert4rec: expected loss to be softmax, but got bce$"):
        Bert4rec(loss="bce")
    model, batch = build(Bert4rec(dim=6), TASK), example(TASK, 6)
    with pytest.raises(BadData, match=r"^expected a batch to train on, with what came next \(following\)"):
        model.losses(replace(batch, following=None))
