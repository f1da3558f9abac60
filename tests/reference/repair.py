"""Naive twins of the repairs: Algorithms 1 and 2 of Jain §4.4 in plain Python, over plain descent.

Weights are lists of tensors, tensors are lists of numbers. An epoch is a list of steps, a step is whatever
``gradient(weights, step)`` understands.
"""

import math


class Descent:
    """``v ← μ v + g``, ``w ← w − η v``; its state outlives the ends of epochs."""

    def __init__(self, start, lr, momentum):
        self.lr, self.momentum = lr, momentum
        self.velocity = [[0.0] * len(tensor) for tensor in start]

    def __call__(self, weights, slopes):
        self.velocity = [
            [self.momentum * v + g for v, g in zip(vs, gs, strict=True)]
            for vs, gs in zip(self.velocity, slopes, strict=True)
        ]
        return [
            [w - self.lr * v for w, v in zip(ws, vs, strict=True)]
            for ws, vs in zip(weights, self.velocity, strict=True)
        ]


def none(start, gradient, epochs, lr, momentum):
    """Plain descent; the weights after each epoch."""
    weights, descend, path = start, Descent(start, lr, momentum), []
    for steps in epochs:
        for step in steps:
            weights = descend(weights, gradient(weights, step))
        path.append(weights)
    return path


def aswa(start, gradient, epochs, lr, momentum):
    """Algorithm 1; the weights after each epoch."""
    weights, average, descend, path = start, start, Descent(start, lr, momentum), []
    for e, steps in enumerate(epochs):
        n = len(steps)
        for i, step in enumerate(steps, 1):
            slopes = gradient(weights, step)
            average = [_moved(a, w, e * n + i + 1) for a, w in zip(average, weights, strict=True)]
            weights = descend(weights, slopes)
        weights = average
        path.append(weights)
    return path


def naswa(start, gradient, epochs, lr, momentum, per_tensor=False):
    """Algorithm 2; the weights after each epoch. ``per_tensor`` keeps a list of norms for each tensor."""
    weights, average, descend, path = start, start, Descent(start, lr, momentum), []
    norms = [[] for _ in start] if per_tensor else [[]]
    for e, steps in enumerate(epochs):
        n = len(steps)
        for i, step in enumerate(steps, 1):
            slopes = gradient(weights, step)
            apart = [_distance(w, a) for w, a in zip(weights, average, strict=True)]
            enters = []
            for k, norm in enumerate(apart if per_tensor else [sum(apart)]):
                mean = sum(norms[k]) / len(norms[k]) if norms[k] else 0.0
                enters.append(norm > mean)
                norms[k] = [norm] if norm > mean else [*norms[k], norm]
            if not per_tensor:
                enters = enters * len(start)
            average = [
                _moved(a, w, e * n + i + 1) if entered else a
                for a, w, entered in zip(average, weights, enters, strict=True)
            ]
            weights = descend(weights, slopes)
        weights = average
        path.append(weights)
    return path


def _moved(average, point, divisor):
    return [a + (w - a) / divisor for a, w in zip(average, point, strict=True)]


def _distance(point, average):
    return sum(abs(w - a) for w, a in zip(point, average, strict=True))


def best_temperature(scores, targets, coldest, warmest):
    """The best of a grid of temperatures, refined three times."""
    low, high = math.log(coldest), math.log(warmest)
    for _ in range(4):
        grid = [low + (high - low) * k / 40 for k in range(41)]
        best = min(grid, key=lambda at: _nll(scores, targets, math.exp(at)))
        step = (high - low) / 40
        if best in (math.log(coldest), math.log(warmest)):
            return 1.0
        low, high = best - step, best + step
    return math.exp(best)


def _nll(scores, targets, temperature):
    total = 0.0
    for row, target in zip(scores, targets, strict=True):
        scaled = [score / temperature for score in row]
        most = max(scaled)
        total += most + math.log(sum(math.exp(s - most) for s in scaled)) - scaled[target]
    return total / len(targets)
