"""The product of two vectors, by torch's own layers."""

from dataclasses import replace

import torch

from holdfast.models.interaction.gmf import Gmf
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK

USERS = replace(TASK, users=5)


def test_torch_agrees():
    model = build(Gmf(dim=3), USERS)
    batch = example_for(model, USERS)
    product = model.embedding_user(batch.user) * model.embedding_item(batch.query[:, 0])
    torch.testing.assert_close(model(batch).logits[:, 1:], model.last(product))
    assert model.embedding_user.weight.shape == (5, 3)
