"""A recommender whose prediction is a sum of votes, and histories to take apart."""

import torch
from torch import nn

from holdfast.core.records import Batch, Trace
from holdfast.models.base import Model
from holdfast.models.run import Run

ITEMS, LENGTH = 9, 5


class Votes(Model):
    """Every item of a history votes for each item, later items with more weight; item 0 is padding."""

    def __init__(self):
        super().__init__()
        self.vote = nn.Parameter(torch.randn(ITEMS, ITEMS, dtype=torch.float64))

    def embed(self, batch):
        return self.vote[batch.inputs] * batch.mask[..., None]

    def encode(self, embedded, batch, edit):
        return embedded

    def decide(self, states, batch, edit):
        loud = torch.arange(1, states.shape[1] + 1, dtype=states.dtype)
        logits = (states * loud[:, None]).sum(1)
        logits = torch.where(torch.arange(ITEMS) > 0, logits, torch.finfo(logits.dtype).min)
        if batch.candidates is not None:
            logits = logits.gather(1, batch.candidates)
        return Trace(logits, (), states, states)


def case(seed=0):
    torch.manual_seed(seed)
    model = Votes()
    run = Run(model, {"vote": model.vote.detach()})
    items, mask = torch.randint(1, ITEMS, (4, LENGTH)), torch.ones(4, LENGTH, dtype=torch.bool)
    mask[0, :2] = False
    candidates = torch.stack([torch.randperm(ITEMS - 1)[:4] + 1 for _ in range(4)])
    batch = Batch(items * mask, mask, torch.zeros(4, dtype=torch.long), candidates=candidates)
    return run, batch, torch.rand(4, LENGTH, dtype=torch.float64)
