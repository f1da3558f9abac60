"""A problem small enough to be worked out by hand: logistic regression on counts of words."""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from holdfast.core.records import Batch, Member, Trace
from holdfast.data.base import Dataset, Split, Task
from holdfast.models.base import Model
from holdfast.train.fit import Fit
from holdfast.train.loop import train
from holdfast.train.schedule import buckets, schedule

WORDS = 5


class Bag(Model):
    """``z = bias + Σ_t weight[word_t]``."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(WORDS))
        self.bias = nn.Parameter(torch.zeros(()))

    def embed(self, batch):
        return F.embedding(batch.inputs, self.weight[:, None]) * batch.mask[..., None]

    def encode(self, embedded, batch, edit):
        return embedded

    def decide(self, states, batch, edit):
        z = states.sum((1, 2)) + self.bias
        return Trace(torch.stack([torch.zeros_like(z), z], -1), (), states, states)


@dataclass(frozen=True)
class Words(Split):
    """Texts as tuples of words."""

    texts: tuple[tuple[int, ...], ...]
    classes: tuple[int, ...]

    @property
    def lengths(self):
        return torch.tensor([len(text) for text in self.texts])

    @property
    def targets(self):
        return torch.tensor(self.classes)

    def batch(self, rows, length=None):
        own = [self.texts[row] for row in rows.tolist()]
        length = length or max(map(len, own))
        inputs = torch.tensor([[*text, *[0] * (length - len(text))] for text in own])
        mask = torch.tensor([[t < len(text) for t in range(length)] for text in own])
        return Batch(inputs, mask, self.targets[rows], torch.ones(len(own)), rows)


@dataclass(frozen=True)
class Tiny(Dataset):
    """The same texts in every split."""

    split: Words
    name = "tiny"
    task = Task(WORDS, ("no", "yes"))

    @property
    def splits(self):
        return dict.fromkeys(("train", "validation", "test"), self.split)

    def save(self, path: Path) -> str:
        raise NotImplementedError

    @classmethod
    def load(cls, path: Path):
        raise NotImplementedError


def tiny(seed: int = 0, rows: int = 11) -> Tiny:
    """Texts of one to six words, drawn; both classes are there."""
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, 7, (rows,), generator=generator).tolist()
    texts = tuple(tuple(torch.randint(WORDS, (n,), generator=generator).tolist()) for n in lengths)
    classes = torch.randint(2, (rows - 2,), generator=generator).tolist()
    return Tiny(Words(texts, (0, 1, *classes)))


def start_of(members: int, seed: int = 0):
    """First weights of several members, stacked, in float64."""
    generator = torch.Generator().manual_seed(seed)
    shapes = {"weight": (members, WORDS), "bias": (members,)}
    return {n: torch.randn(s, generator=generator, dtype=torch.float64) for n, s in shapes.items()}


def trained(data: Tiny, start, fit: Fit, repair):
    """The members' weights by the real training loop."""
    members = tuple(Member(seed) for seed in range(len(start["bias"])))
    return train(Bag(), start, data, members, fit, repair)


def plan_of(data: Tiny, member: Member, fit: Fit) -> list[list[list[tuple[tuple[int, ...], int]]]]:
    """What one member sees: epochs of steps of (text, class), without the rows that only fill."""
    parts = buckets(data.split.lengths, fit.batch)
    return [
        [
            [
                (data.split.texts[row], data.split.classes[row])
                for row in parts[step.bucket].rows[step.index[0][step.weight[0] > 0]].tolist()
            ]
            for step in schedule(parts, fit.batch, (member,), epoch)
        ]
        for epoch in range(1, fit.epochs + 1)
    ]
