"""Seeded stratified splits: the same rows for everybody, on every machine."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.draws import seed_of
from holdfast.data.text.corpus import Part

THIRDS = (0.7, 0.1, 0.2)


def divide(targets: Sequence[int], shares: Sequence[float], name: str) -> list[list[int]]:
    """Cut rows into parts of about these shares of every class, each with one row of it at least.

    The last parts are rounded, the first takes what is left; ``name`` is the seed.

    >>> [len(part) for part in divide([0] * 10 + [1] * 20, (0.7, 0.1, 0.2), "example")]
    [21, 3, 6]
    """
    parts: list[list[int]] = [[] for _ in shares]
    for rows in _shuffled_classes(targets, name):
        sizes = [max(1, round(share * len(rows))) for share in shares[1:]]
        cuts = [0, len(rows) - sum(sizes)]
        for size in sizes:
            cuts.append(cuts[-1] + size)
        for part, (low, high) in zip(parts, pairwise(cuts), strict=True):
            part.extend(rows[low:high])
    return [sorted(part) for part in parts]


def sample(targets: Sequence[int], size: int, name: str) -> list[int]:
    """``size`` rows with every class in proportion, and at least one row of each where ``size`` allows it.

    >>> sorted(targets for targets in map([0, 0, 0, 0, 1].__getitem__, sample([0, 0, 0, 0, 1], 3, "example")))
    [0, 0, 1]
    """
    ranked = [
        (place / len(rows), number, row)
        for number, rows in enumerate(_shuffled_classes(targets, name))
        for place, row in enumerate(rows)
    ]
    return sorted(row for _, _, row in sorted(ranked)[:size])


def hold_out(part: Part, share: float, name: str) -> tuple[Part, Part]:
    """Cut a share of the rows off for validation: (the rest, the share)."""
    rest, held = divide(part.strata, (1 - share, share), name)
    return part.take(rest), part.take(held)


def stratified_folds(classes: Sequence[int], folds: int, seed: int = 0) -> Int[Tensor, "N"]:
    """Deal rows out to folds: of every class, and of all together, each gets as many, give or take one.

    >>> stratified_folds([0, 0, 0, 1, 1, 1], 3).bincount().tolist()
    [2, 2, 2]
    """
    dealt = [row for rows in _shuffled_classes(classes, f"folds/{seed}") for row in rows]
    fold = torch.empty(len(classes), dtype=torch.long)
    fold[torch.tensor(dealt, dtype=torch.long)] = torch.arange(len(dealt)) % folds
    return fold


def _shuffled_classes(targets: Sequence[int], name: str) -> list[list[int]]:
    classes: dict[int, list[int]] = {}
    for row, target in enumerate(targets):
        classes.setdefault(target, []).append(row)
    # only `random()` is promised to stay the same in every Python, so the order is made from it alone
    return [_shuffled(classes[target], Random(seed_of(None, name, target))) for target in sorted(classes)]


def _shuffled(rows: list[int], random: Random) -> list[int]:
    return [row for _, row in sorted((random.random(), row) for row in rows)]
