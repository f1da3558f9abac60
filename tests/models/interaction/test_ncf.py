"""A tower on two vectors, by torch's own layers."""

from dataclasses import replace

import torch
from torch import nn

from holdfast.models.interaction.ncf import Ncf
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK

USERS = replace(TASK, users=5)


def test_torch_agrees():
    model = build(Ncf(dim=3, layers=(4, 2)), USERS)
    batch = example_for(model, USERS)
    first = nn.Linear(6, 4, dtype=torch.float64)
    with torch.no_grad():
        first.weight.copy_(torch.cat([model.user.weight, model.item.weight], 1))
        first.bias.copy_(model.user.bias)
    both = torch.cat([model.embedding_user(batch.user), model.embedding_item(batch.query[:, 0])], 1)
    wanted = model.last(model.tower(first(both).relu()))
    torch.testing.assert_close(model(batch).logits[:, 1:], wanted)


def test_sizes_of_the_authors():
    model = Ncf().build(USERS)
    assert model.user.in_features + model.item.in_features == 64
    assert [model.user.out_features, *(layer.out_features for layer in model.tower[::2])] == [32, 16, 8]
