"""A small text classifier in double precision, with texts of several lengths."""

from dataclasses import replace

import torch

from holdfast.data.base import Task
from holdfast.models.run import Run
from holdfast.models.text.average import Average
from holdfast.testing.model import build, example

TASK = Task(9, ("no", "yes"))


def attentive(task=TASK, seed=0):
    """A member and a batch."""
    model, batch = build(Average(hidden=4, dim=3), task, seed), example(task)
    weights = {
        name: tensor * 3.0 if name != "temperature" else tensor for name, tensor in model.tensors().items()
    }
    return Run(model, weights), replace(batch, rows=torch.arange(len(batch)))
