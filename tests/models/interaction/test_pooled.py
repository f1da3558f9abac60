"""What models that pool a history share."""

from dataclasses import replace

import torch

from holdfast.core.records import Edit
from holdfast.models.interaction.deepicf import Deepicf
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK


def test_an_item_that_comes_twice_is_no_reason_for_itself():
    model = build(Deepicf(dim=4), TASK)
    batch = example_for(model, TASK)
    twice = replace(batch, inputs=torch.where(torch.arange(6) % 2 == 0, batch.query, batch.inputs))
    (weights,) = model(twice).attention
    assert not weights[:, ::2].any()


def test_the_door_sees_every_pair_in_training():
    model = build(Deepicf(dim=4), TASK)
    batch = example_for(model, TASK)
    seen = []

    def look(weights, site):
        seen.append((weights.shape, site.allowed.shape))
        return torch.zeros_like(weights)

    blind = model.losses(batch, Edit(attention=look))
    pairs = batch.following.numel() + batch.negatives.numel()
    assert seen == [((pairs, 6), (pairs, 6))]
    assert not torch.equal(blind, model.losses(batch))


def test_the_bias_is_of_the_last_class():
    model = build(Deepicf(dim=4, head="two"), TASK)
    batch = example_for(model, TASK)
    before = model(batch).logits
    with torch.no_grad():
        model.embedding_bias.weight.add_(1.5)
    torch.testing.assert_close(model(batch).logits - before, torch.tensor([[0.0, 1.5]] * 5).double())
