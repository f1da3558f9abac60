"""A run is a model with other parameters; the model itself stays as it is."""

import math

import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import PLAIN
from holdfast.data.base import Task
from holdfast.models.base import log_odds
from holdfast.models.run import Run
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


@given(logits=st.lists(st.floats(-5, 5), min_size=2, max_size=5), data=st.data())
def test_log_odds(logits, data):
    target = data.draw(st.integers(0, len(logits) - 1))
    powers = [math.exp(logit) for logit in logits]
    p = powers[target] / sum(powers)
    ours = log_odds(torch.tensor([logits], dtype=torch.float64), torch.tensor([target]))
    assert math.isclose(float(ours), math.log(p / (1 - p)), rel_tol=1e-8, abs_tol=1e-9)


def test_a_saturated_prediction_still_has_a_slope():
    logits = torch.tensor([[0.0, 200.0]], requires_grad=True)
    (slope,) = torch.autograd.grad(log_odds(logits, torch.tensor([1])).sum(), logits)
    assert slope.tolist() == [[-1.0, 1.0]]
