"""A linear model of images, whose true relevance is known, and a split to run it on."""

from dataclasses import dataclass

import torch
from torch import nn

from holdfast.core.records import Batch, Member, Trace
from holdfast.data.base import Split, Task
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.train.family import Family

STRIP = (3, 4, 2)
PIXELS, CLASSES = 24, 3


class Linear(Model):
    """``logit = x · w``, summed over the steps that exist."""

    def __init__(self, strip):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(*strip, CLASSES, dtype=torch.float64))

    def embed(self, batch):
        return batch.inputs * batch.mask[..., None, None]

    def encode(self, embedded, batch, edit):
        return embedded

    def decide(self, states, batch, edit):
        return Trace(torch.einsum("bthw,thwc->bc", states, self.weight), (), states, states)


@dataclass(frozen=True)
class Lines(Architecture):
    def build(self, task):
        return Linear(task.strip)


class Images(Split):
    def __init__(self, n, strip=STRIP, seed=0):
        draw = torch.Generator().manual_seed(seed)
        self.images = torch.rand(n, *strip, generator=draw, dtype=torch.float64) * 2 - 1
        self.classes = torch.randint(CLASSES, (n,), generator=draw)

    @property
    def lengths(self):
        return torch.full((len(self.images),), self.images.shape[1])

    @property
    def targets(self):
        return self.classes

    def batch(self, rows, length=None):
        mask = torch.ones(len(rows), self.images.shape[1], dtype=torch.bool)
        return Batch(self.images[rows], mask, self.classes[rows], rows=rows)


def family(members=3):
    task = Task(0, ("a", "b", "c"), strip=STRIP)
    return Family.init(Lines(), task, [Member(seed) for seed in range(members)])


def one(seed=0):
    """A member, a batch and what each pixel adds to its target's evidence beyond the background."""
    whole, split = family(seed + 1), Images(5, seed=seed)
    weight = whole.parameters["weight"][seed]
    run, batch = Run(whole.model, {"weight": weight}), split.batch(torch.arange(5))
    return run, batch, relevance(weight, batch)


def relevance(weight, batch):
    """``(x − background) · w`` for the target class."""
    return ((batch.inputs + 1) * weight.movedim(-1, 0)[batch.targets]).flatten(1)
