"""A run is a model with other parameters; the model itself stays as it is."""

import torch

from holdfast.core.records import PLAIN
from holdfast.data.base import Task
from holdfast.models.base import Run
from holdfast.models.text.average import Average
from holdfast.testing.model import build, example

TASK = Task(12, ("no", "yes"))


def test_every_part_uses_the_given_parameters():
    one, other = (build(Average(hidden=4, dim=3), TASK, seed) for seed in (0, 1))
    run, batch = Run(one, dict(other.named_parameters())), example(TASK)
    embedded = other.embed(batch)
    states = other.encode(embedded, batch, PLAIN)
    assert torch.equal(run.embed(batch), embedded)
    assert torch.equal(run.encode(embedded, batch), states)
    assert torch.equal(run.decide(states, batch).logits, other(batch).logits)
    assert torch.equal(run(batch).logits, other(batch).logits)
    assert torch.equal(run.losses(batch), other.losses(batch))
    assert not torch.equal(one(batch).logits, other(batch).logits)


def test_two_class_losses_are_binary_cross_entropy():
    model, batch = build(Average(hidden=4, dim=3), TASK), example(TASK)
    z = model(batch).logits[:, 1]
    expected = torch.nn.functional.binary_cross_entropy_with_logits(
        z, batch.targets.double(), reduction="none"
    )
    torch.testing.assert_close(model.losses(batch), expected)
