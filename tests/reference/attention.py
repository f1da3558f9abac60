"""Naive twins of the explainers by attention: one example, loops, float64."""

from collections import deque

import torch

from holdfast.core.records import Batch, Edit
from holdfast.models.base import Model


def mean_of_heads(block) -> list[list[float]]:
    """The mean over heads, cell by cell."""
    heads, rows, columns = block.shape
    return [
        [sum(float(block[h, q, k]) for h in range(heads)) / heads for k in range(columns)]
        for q in range(rows)
    ]


def mixed(block, residual: float) -> list[list[float]]:
    """``(1 − r)·A + r·I``, cell by cell."""
    mean = mean_of_heads(block)
    return [
        [(1 - residual) * weight + (residual if q == k else 0.0) for k, weight in enumerate(row)]
        for q, row in enumerate(mean)
    ]


def times(a: list[list[float]], b: list[list[float]]) -> list[list[float]]:
    """A matrix product."""
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def rollout(blocks, read, residual: float) -> list[float]:
    """The whole product of maps first, then what is read of it."""
    size = len(read)
    product = [[float(i == j) for j in range(size)] for i in range(size)]
    for block in blocks:
        product = times(mixed(block, residual), product)
    return [sum(float(read[q]) * product[q][j] for q in range(size)) for j in range(size)]


def flow(blocks, read, residual: float) -> list[float]:
    """A shortest augmenting path at a time (Edmonds & Karp), for each position anew."""
    size, depth = len(read), len(blocks)
    edges: dict[tuple[int, int], float] = {}
    for t in range(size):
        edges[-1, depth * size + t] = float(read[t])
    for level, block in enumerate(blocks, 1):
        for q, row in enumerate(mixed(block, residual)):
            for k, weight in enumerate(row):
                edges[level * size + q, (level - 1) * size + k] = weight
    return [_largest(dict(edges), -1, sink) for sink in range(size)]


def _largest(left: dict[tuple[int, int], float], source: int, sink: int) -> float:
    total = 0.0
    while True:
        came = {source: source}
        queue = deque([source])
        while queue and sink not in came:
            node = queue.popleft()
            for (start, end), weight in left.items():
                if start == node and end not in came and weight > 1e-13:
                    came[end] = node
                    queue.append(end)
        if sink not in came:
            return total
        path, node = [], sink
        while node != source:
            path.append((came[node], node))
            node = came[node]
        least = min(left[edge] for edge in path)
        for start, end in path:
            left[start, end] -= least
            left[end, start] = left.get((end, start), 0.0) + least
        total += least


def gradient_rollout(model: Model, batch: Batch, target: int) -> list[float]:
    """``R ← R + Ā R`` with whole matrices; gradients by autograd through the edit."""
    seen = []

    def door(weights, site):
        leaf = weights.detach().requires_grad_() if not seen else weights
        leaf.retain_grad()
        seen.append(leaf)
        return leaf

    trace = model(batch, Edit(attention=door))
    model.explained(trace.logits, torch.tensor([target])).sum().backward()
    weighted = [(leaf.grad * leaf.detach())[0].clamp(min=0) for leaf in seen]
    model.zero_grad(set_to_none=True)
    last = trace.attention[-1]
    read = (last if last.dim() == 2 else trace.read)[0].detach()
    size = len(read)
    product = [[float(i == j) for j in range(size)] for i in range(size)]
    for block in [one for one in weighted if one.dim() > 1]:
        more = times(mean_of_heads(block), product)
        product = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(product, more, strict=True)]
    scores = [sum(float(read[q]) * product[q][j] for q in range(size)) for j in range(size)]
    return [s if exists else 0.0 for s, exists in zip(scores, batch.mask[0].tolist(), strict=False)]
