"""Two optimisers on a surface with a saddle (Jain Figures 4.9 and 4.10): where averaging goes, and where not.

The document does not give its surface; ours is ``f(x, y) = (x² − 1)²/2 + y² − x/5``: a saddle near
the origin and minima on both sides, the right one deeper. The paths are made by the real optimiser and the
real repair.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from holdfast.core.draws import generator
from holdfast.data.base import Task
from holdfast.train.optimise import Sgd
from holdfast.train.repair import Repair, Tensors

START, RATE, MOMENTUM, NOISE = (-0.05, 1.5), 0.03, 0.8, 0.15
XS, YS = (-1.7, 1.8), (-1.4, 1.8)


@dataclass(frozen=True)
class Landscape:
    """The surface on a grid (``values[j][i]`` at xs[i], ys[j]) and each optimiser's way over it."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    paths: dict[str, tuple[tuple[float, float], ...]]


def height(point: Tensor) -> Tensor:
    """The surface."""
    x, y = point.unbind(-1)
    return (x**2 - 1) ** 2 / 2 + y**2 - x / 5


def landscape(repairs: dict[str, Repair], epochs: int = 10, steps: int = 12, points: int = 60) -> Landscape:
    """The surface and the ways of SGD with momentum under each repair, with the same noise for all."""
    xs, ys = torch.linspace(*XS, points), torch.linspace(*YS, points)
    grid = torch.stack(torch.meshgrid(xs, ys, indexing="xy"), -1)
    values = tuple(tuple(round(v, 4) for v in row) for row in height(grid).tolist())
    paths = {name: path(repair, epochs, steps) for name, repair in repairs.items()}
    return Landscape(_rounded(xs), _rounded(ys), values, paths)


def path(repair: Repair, epochs: int, steps: int) -> tuple[tuple[float, float], ...]:
    """Every point that the optimiser visits, the restarts at the ends of epochs included."""
    point = torch.tensor(START).requires_grad_()
    optimiser = Sgd(lr=RATE, weight_decay=0.0, momentum=MOMENTUM).over([{"params": [point]}])
    memory = repair.begin({"w": point.detach()}, Task(0, ()))
    visited, t = [START], 0
    for epoch in range(1, epochs + 1):
        for _ in range(steps):
            t += 1
            before, memory = repair.step({"w": point.detach().clone()}, memory, torch.tensor(t))
            _move(point, before)
            (gradient,) = torch.autograd.grad(height(point), point)
            noise = torch.randn(2, generator=generator(None, "surface", t)) * NOISE
            point.grad = gradient + noise
            optimiser.step()
            visited.append(tuple(point.tolist()))
        after, memory = repair.turn({"w": point.detach().clone()}, memory, epoch, epochs)
        _move(point, after)
        visited.append(tuple(point.tolist()))
    return tuple((round(x, 4), round(y, 4)) for x, y in visited)


@torch.no_grad()
def _move(point: Tensor, parameters: Tensors) -> None:
    point.copy_(parameters["w"])


def _rounded(values: Tensor) -> tuple[float, ...]:
    return tuple(round(value, 4) for value in values.tolist())
