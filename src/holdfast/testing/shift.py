"""The contract of a model about noise on its embedded input: wherever it embeds, ``batch.shift`` is added."""

from dataclasses import replace

import torch

from holdfast.core.records import Batch, Edit
from holdfast.models.base import Model
from holdfast.testing.near import assert_near


def check_shift(model: Model, batch: Batch) -> None:
    """Every way through the model starts from the embedded input plus the shift; what does not exist stays
    0, and ``room`` says which numbers those are.

    >>> from holdfast.data.base import Task
    >>> from holdfast.models.text.average import Average
    >>> from holdfast.testing.model import build, example
    >>> task = Task(9, ("no", "yes"))
    >>> check_shift(build(Average(hidden=4, dim=3), task), example(task))
    """
    if batch.pixels:
        return  # pixels themselves are moved
    embedded, room = model.embed(batch), model.room(batch)
    assert room.shape == embedded.shape, "room is not of the shape of the embedded input"
    assert not (embedded * ~room).any(), "room leaves out numbers that exist"
    assert not (room & ~batch.mask[..., None]).any(), "room has numbers where no position exists"
    shift = torch.randn(embedded.shape, generator=torch.Generator().manual_seed(0), dtype=embedded.dtype)
    moved, edit = replace(batch, shift=shift), Edit(embedded=embedded + shift * batch.mask[..., None])
    assert_near(model(moved).logits, model(batch, edit).logits, "a pass does not see the shift")
    assert_near(model.losses(moved), model.losses(batch, edit), "losses do not see the shift")
    given = model(moved, Edit(embedded=embedded)).logits
    assert_near(given, model(batch).logits, "a given embedding is moved by the shift")
    used = torch.equal(model(moved).logits, model(batch).logits)
    assert torch.equal(model.rank(moved), model.rank(batch)) == used, "rank does not see the shift"
    one = moved.take(torch.tensor([0]))
    alone = model.subsets(one, one.mask.new_ones(2, one.mask.shape[1]))
    assert_near(alone, model(one).logits.expand_as(alone), "subsets do not see the shift")
