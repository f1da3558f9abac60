"""What every classifier's loss must keep where classes have weights."""

import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN, Batch
from holdfast.models.base import Model
from holdfast.testing.near import assert_near


def check_class_weights(model: Model, batch: Batch) -> None:
    """Losses with a weight for each class are linear in them, and with weights of 1 as they are without; a
    model whose targets are no classes refuses them."""
    plain = model.losses(batch)
    count = model(batch).logits.shape[-1]
    try:
        parts = [model.losses(batch, PLAIN, each) for each in torch.eye(count, dtype=plain.dtype)]
    except BadSetting:
        return
    assert_near(torch.stack(parts).sum(0), plain, "losses with class weights of 1 are not the losses")
    twice = model.losses(batch, PLAIN, torch.full((count,), 2.0, dtype=plain.dtype))
    assert_near(twice, 2.0 * plain, "class weights of 2 do not double the losses")
    assert all((part >= 0.0).all() for part in parts), "a class alone has a loss below 0"
