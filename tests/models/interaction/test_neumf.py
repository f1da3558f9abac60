"""Both, side by side, by torch's own layers."""

from dataclasses import replace

import torch

from holdfast.models.interaction.neumf import Neumf
from holdfast.testing.model import build, example_for
from holdfast.train.optimise import Adam, groups_of
from tests.models.interaction.twin import TASK

USERS = replace(TASK, users=5)


def test_both_are_there():
    model = build(Neumf(dim=3, width=2, layers=(4, 2)), USERS)
    batch = example_for(model, USERS)
    both = [model.factors.product(batch, batch.query), model.tower.top(batch, batch.query)]
    wanted = model.last(torch.cat(both, -1))[:, 0]
    torch.testing.assert_close(model(batch).logits[:, 1:], wanted)
    assert not [name for name, _ in model.named_parameters() if name.endswith("last.weight")][1:]


def test_vectors_are_spared_from_weight_decay():
    weights = dict(build(Neumf(), USERS).named_parameters())
    decayed, spared = groups_of(weights, Adam(weight_decay=0.1), decay_embeddings=False)
    assert len(spared["params"]) == 4
    assert spared["weight_decay"] == 0.0
    assert decayed["weight_decay"] == 0.1
