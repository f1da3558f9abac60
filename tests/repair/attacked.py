"""What the tests of adversarial training share: a small member, and its losses of one example."""

from typing import NamedTuple

import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.run import Run
from holdfast.testing.model import build, example

WORDS = Task(12, ("no", "yes"))
CLASSES = Task(12, ("a", "b", "c"))
ITEMS = Task(12, (), length=8)
LENGTH = 0.7


class Attacked(NamedTuple):
    """One member and some examples."""

    run: Run
    batch: Batch

    def alone(self, row: int) -> Batch:
        return self.batch.take(torch.tensor([row]))

    def by_input(self, row: int):
        """The loss of one example as a function of its vectors."""
        one = self.alone(row)
        return lambda vectors: self.run.losses(one, Edit(embedded=vectors[None]))[0]

    def embedded(self, row: int):
        return self.run.embed(self.alone(row))[0].detach()

    def by_map(self, row: int, moved):
        """The loss of one example as a function of what ``moved`` makes of its maps, given its input."""
        one = self.alone(row)
        return lambda at: self.run.losses(one, Edit(attention=lambda w, site: moved(w, site, at)))[0]


def attacked(model: str = "average:hidden=4,dim=3", task: Task = WORDS) -> Attacked:
    """An untrained member, and examples with padding, a hole, one word, and none."""
    network = build(make("models", model), task, 1)
    batch = example(task)
    return Attacked(Run(network, network.tensors()), batch)


def losses(repair, own: Attacked, noise=None, memory=None):
    """The repair's losses of all examples together."""
    memory = repair.begin(own.run.parameters, WORDS) if memory is None else memory
    return repair.losses(own.run, own.batch, noise or {}, memory)
