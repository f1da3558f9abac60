import torch

from holdfast.data.base import Task
from holdfast.models.run import Run
from holdfast.models.text.average import Average
from holdfast.testing.model import build, example

TASK = Task(9, ("no", "yes"))


def test_a_member_is_the_network_with_its_own_weights():
    one, other = (build(Average(hidden=4, dim=3), TASK, seed) for seed in (0, 1))
    batch, run = example(TASK), Run(one, other.tensors())
    assert run.model is one
    assert torch.equal(run(batch).logits, other(batch).logits)
    assert torch.equal(run.rank(batch), other.rank(batch))
    assert torch.equal(run.losses(batch), other.losses(batch))
    states = run.encode(run.embed(batch), batch)
    assert torch.equal(run.decide(states, batch).logits, run(batch).logits)


def test_the_network_itself_stays_as_it_is():
    one, other = (build(Average(hidden=4, dim=3), TASK, seed) for seed in (0, 1))
    batch, before = example(TASK), {name: tensor.clone() for name, tensor in one.tensors().items()}
    Run(one, other.tensors())(batch)
    assert all(torch.equal(tensor, before[name]) for name, tensor in one.tensors().items())
