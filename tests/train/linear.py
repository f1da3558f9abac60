"""The smallest model of strips, and data with folds for it."""

from dataclasses import dataclass

import torch
from torch import nn

from holdfast.core.records import Trace
from holdfast.data.source import Source, load
from holdfast.models.base import Architecture, Model


class Line(Model):
    """One linear map of all pixels."""

    def __init__(self, task):
        super().__init__()
        steps, height, width = task.strip
        self.head = nn.Linear(steps * height * width, len(task.classes))

    def embed(self, batch):
        return batch.inputs * batch.mask[..., None, None]

    def encode(self, embedded, batch, edit):
        return embedded.flatten(-3)

    def decide(self, states, batch, edit):
        return Trace(self.head(states), (), states, states)


@dataclass(frozen=True)
class Linear(Architecture):
    """Its settings: none."""

    def build(self, task):
        return Line(task)


def digits(settings="limit=330,folds=3"):
    return load(Source(f"digits-maj:{settings}"))


def without(data, split, rows, value=0):
    """The same data with the images of these rows painted over."""
    images = split.images.clone()
    images[split.blocks[rows].flatten()] = torch.tensor(value, dtype=torch.uint8)
    return images
