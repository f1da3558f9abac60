"""Naive twins of the recommenders: one history, one position, one head at a time."""

import math

import torch
from torch import Tensor

from holdfast.models.blocks import Block
from holdfast.models.interaction.bert4rec import Cloze
from holdfast.models.interaction.gru4rec import Gated
from holdfast.models.interaction.sasrec import Causal
from tests.reference.models import softmax

States = list[Tensor]
Map = list[list[list[float]]]


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """The plain formula."""
    mean = sum(x.tolist()) / len(x)
    variance = sum((value - mean) ** 2 for value in x.tolist()) / len(x)
    return (x - mean) / math.sqrt(variance + eps) * weight + bias


@torch.no_grad()
def block(layer: Block, states: States, sees: list[list[int]]) -> tuple[States, Map]:
    """One block; ``sees[i]`` are the positions that i attends to."""
    dim, width = len(states[0]), len(states[0]) // layer.heads
    queries, keys, values = ([x @ part for x in states] for part in layer.inputs.split(dim, 1))
    maps: Map = []
    mixed = [torch.zeros(dim, dtype=states[0].dtype) for _ in states]
    for head in range(layer.heads):
        own = slice(head * width, (head + 1) * width)
        rows = []
        for i, seen in enumerate(sees):
            row = [0.0] * len(states)
            if seen:
                scores = [float(queries[i][own] @ keys[j][own]) / math.sqrt(width) for j in seen]
                for j, weight in zip(seen, softmax(scores), strict=True):
                    row[j] = weight
                    mixed[i][own] += weight * values[j][own]
            rows.append(row)
        maps.append(rows)
    out = []
    for own_state, brought in zip(states, mixed, strict=True):
        g = brought @ layer.output + own_state
        inside = layer.inner.weight @ layer_norm(g, layer.before.weight, layer.before.bias) + layer.inner.bias
        bent = torch.stack([x if x > 0 else 0.01 * x for x in inside])
        fed = layer.outer.weight @ bent + layer.outer.bias
        out.append(layer_norm(fed + g, layer.after.weight, layer.after.bias))
    return out, maps


def blocks(layers: list[Block], states: States, sees: list[list[int]]) -> tuple[States, list[Map]]:
    """All blocks."""
    maps = []
    for layer in layers:
        states, own = block(layer, states, sees)
        maps.append(own)
    return states, maps


def sasrec(model: Causal, items: list[int], mask: list[bool]) -> tuple[States, list[Map]]:
    """States and maps of one history."""
    n = len(items)
    positions = model.positions[-n:]
    states = []
    for t in range(n):
        here = model.embedding.weight[items[t]] + positions[t] if mask[t] else torch.zeros_like(positions[t])
        states.append(positions[t] if t == n - 1 and not mask[t] else here)
    sees = [[j for j in range(i + 1) if mask[j]] if mask[i] or i == n - 1 else [] for i in range(n)]
    return blocks(list(model.blocks.stack), states, sees)


def bert4rec(model: Cloze, items: list[int | None], mask: list[bool]) -> tuple[States, list[Map]]:
    """States and maps of positions that are given whole; ``None`` is the mask token."""
    n = len(items)
    positions, states = model.positions[-n:], []
    for t, item in enumerate(items):
        vector = model.token if item is None else model.embedding.weight[item]
        states.append(vector + positions[t] if mask[t] else torch.zeros_like(positions[t]))
    sees = [[j for j in range(n) if mask[j]] if mask[i] else [] for i in range(n)]
    return blocks(list(model.blocks.stack), states, sees)


@torch.no_grad()
def gru(model: Gated, items: list[int], mask: list[bool]) -> States:
    """h after each position."""
    dim = model.dim
    state, found = torch.zeros(dim, dtype=model.bias.dtype), []
    for item, exists in zip(items, mask, strict=True):
        if exists:
            of_item = model.embedding.weight[item] @ model.inputs + model.bias
            of_state = state @ model.states
            reset = 1 / (1 + (-of_item[:dim] - of_state[:dim]).exp())
            stay = 1 / (1 + (-of_item[dim : 2 * dim] - of_state[dim : 2 * dim]).exp())
            new = torch.tanh(of_item[2 * dim :] + reset * (of_state[2 * dim :] + model.inner))
            state = (1 - stay) * new + stay * state
        found.append(state)
    return found


def score(table: Tensor, hidden: Tensor, item: int) -> float:
    """``h·e_i``."""
    return sum(a * b for a, b in zip(hidden.tolist(), table[item].tolist(), strict=True))


def loss(kind: str, table: Tensor, hidden: Tensor, following: int, negatives: list[int]) -> float:
    """The loss at one position."""
    own = score(table, hidden, following)
    if kind == "bce":
        against = [math.log(1 - 1 / (1 + math.exp(-score(table, hidden, k)))) for k in negatives]
        return -math.log(1 / (1 + math.exp(-own))) - sum(against) / len(against)
    others = negatives if kind == "sampled" else [i for i in range(1, len(table)) if i != following]
    return -math.log(softmax([own, *(score(table, hidden, k) for k in others)])[0])
