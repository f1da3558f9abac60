"""Naive twins of the explainers: one text, one position, one step at a time."""

import math

import numpy as np
import torch
from torch import Tensor

from holdfast.core.records import Batch, Edit
from holdfast.models.base import Model


def log_odds(model: Model, batch: Batch, target: int, embedded: Tensor | None = None) -> Tensor:
    """``log p / (1 − p)`` of a batch of one text."""
    p = model(batch, Edit(embedded=embedded)).logits[0].softmax(0)
    return torch.log(p[target] / (1 - p[target]))


def slope(model: Model, batch: Batch, target: int, embedded: Tensor) -> Tensor:
    """The gradient (T, D) by ``torch.autograd``."""
    leaf = embedded.detach().requires_grad_()
    return torch.autograd.grad(log_odds(model, batch, target, leaf), leaf)[0][0]


def gradient(model: Model, batch: Batch, target: int) -> list[float]:
    """The Euclidean norm of each position's gradient."""
    return [
        math.sqrt(sum(float(d) ** 2 for d in row)) for row in slope(model, batch, target, model.embed(batch))
    ]


def gradient_input(model: Model, batch: Batch, target: int) -> list[float]:
    """Gradient times input, position by position."""
    embedded = model.embed(batch).detach()
    return [float(x @ g) for x, g in zip(embedded[0], slope(model, batch, target, embedded), strict=True)]


def integrated_gradients(model: Model, batch: Batch, target: int, steps: int) -> list[float]:
    """One gradient per node of the quadrature."""
    embedded = model.embed(batch).detach()
    nodes, weights = np.polynomial.legendre.leggauss(steps)
    mean = torch.zeros_like(embedded[0])
    for node, weight in zip(nodes, weights, strict=True):
        mean += weight / 2 * slope(model, batch, target, embedded * (node + 1) / 2)
    return [float(x @ g) for x, g in zip(embedded[0], mean, strict=True)]


def leave_one_out(model: Model, batch: Batch, target: int) -> list[float]:
    """One pass per position, with a hole there."""
    whole, scores = float(log_odds(model, batch, target).detach()), []
    for position in range(batch.mask.shape[1]):
        mask = batch.mask.clone()
        mask[0, position] = False
        scores.append(whole - float(log_odds(model, Batch(batch.inputs, mask), target).detach()))
    return scores
