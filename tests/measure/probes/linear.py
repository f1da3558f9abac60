"""A linear model of texts: what each word adds is known, and so is the smallest noise that flips it."""

import torch
from torch import nn

from holdfast.core.records import Batch, Trace
from holdfast.models.base import Model
from holdfast.models.run import Run

WORDS, LENGTH, DIM = 12, 8, 3


class Sum(Model):
    """Two classes, logits (0, Σ_t w_t · e_t): each position has a weight vector of its own."""

    def __init__(self):
        super().__init__()
        self.vector = nn.Parameter(torch.randn(WORDS, DIM, dtype=torch.float64))
        self.weight = nn.Parameter(torch.randn(LENGTH, DIM, dtype=torch.float64))

    def embed(self, batch):
        return self.vector[batch.inputs] * batch.mask[..., None]

    def encode(self, embedded, batch, edit):
        return embedded * batch.mask[..., None]

    def decide(self, states, batch, edit):
        z = (states * self.weight[: states.shape[1]]).sum((-1, -2))
        return Trace(torch.stack((torch.zeros_like(z), z), -1), (), states, states)

    def evidence(self, logits):
        z = logits[:, 1] - logits[:, 0]
        return torch.stack((-z, z), -1)


def case(seed=0):
    """A member, texts of several lengths (one with a hole), scores, and what each position adds to z."""
    torch.manual_seed(seed)
    model = Sum()
    run = Run(model, model.tensors())
    mask = torch.arange(LENGTH) < torch.tensor([[LENGTH], [5], [4], [2]])
    mask[1, 2] = False
    inputs = torch.randint(0, WORDS, mask.shape) * mask
    batch = Batch(inputs, mask, torch.tensor([1, 0, 1, 0]), rows=torch.arange(len(mask)))
    added = (run.embed(batch) * model.weight.detach()).sum(-1)
    return run, batch, torch.randn(mask.shape, dtype=torch.float64), added
