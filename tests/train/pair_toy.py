"""The smallest model that trains on pairs: ``z = user · item + mean of the history · item``."""

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import nn

from holdfast.core.records import PLAIN, Trace
from holdfast.models.base import Architecture, Model


class Toy(Model):
    trains_on: ClassVar[str] = "pairs"

    def __init__(self, task, negatives, dim=3):
        super().__init__()
        self.negatives = negatives
        self.items = nn.Parameter(torch.randn(task.vocabulary, dim))
        self.users = nn.Parameter(torch.randn(task.users, dim))

    def embed(self, batch):
        return F.embedding(batch.inputs, self.items) * batch.mask[..., None]

    def encode(self, embedded, batch, edit):
        return embedded

    def decide(self, states, batch, edit):
        size = batch.mask.sum(1, keepdim=True).clamp(min=1)
        whole = F.embedding(batch.user, self.users) + states.sum(1) / size
        scores = (F.embedding(batch.candidates, self.items) * whole[:, None]).sum(-1)
        return Trace(scores, (), states, states)

    def losses(self, batch, edit=PLAIN):
        asked = torch.cat([batch.following[..., None], batch.negatives], -1)
        scores = self(replace(batch, candidates=asked.flatten(1)), edit).logits.view(asked.shape)
        each = F.softplus(-scores[..., 0]) + F.softplus(scores[..., 1:]).sum(-1)
        return (each * (batch.following > 0)).mean(-1)


@dataclass(frozen=True)
class PairToy(Architecture):
    """Settings of the toy."""

    reads: ClassVar[tuple[str, ...]] = ("interaction",)
    attends: ClassVar[bool] = False
    negatives: int = 2

    def build(self, task):
        return Toy(task, self.negatives)
