"""Naive twins of Shapley values: every permutation, every coalition, and a regression with all of them."""

import math
from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np

Game = Callable[[frozenset[int]], float]


def by_permutations(n: int, game: Game) -> list[float]:
    """The mean of what a player adds over all orders in which they may come."""
    values = [0.0] * n
    for order in permutations(range(n)):
        before: frozenset[int] = frozenset()
        for player in order:
            values[player] += game(before | {player}) - game(before)
            before |= {player}
    return [value / math.factorial(n) for value in values]


def by_coalitions(n: int, game: Game) -> list[float]:
    """``Σ_{S∌i} s!(n − s − 1)!/n! · (F(S ∪ i) − F(S))``."""
    values = []
    for player in range(n):
        others = [other for other in range(n) if other != player]
        total = 0.0
        for size in range(n):
            weight = math.factorial(size) * math.factorial(n - size - 1) / math.factorial(n)
            for some in combinations(others, size):
                total += weight * (game(frozenset(some) | {player}) - game(frozenset(some)))
        values.append(total)
    return values


def by_regression(n: int, game: Game, weighted: dict[frozenset[int], float]) -> list[float]:
    """``min Σ w(S)(F(S) − F(∅) − Σ φ_i)²`` so that ``Σφ = F(N) − F(∅)``, by Lagrange's multiplier."""
    empty, full = game(frozenset()), game(frozenset(range(n)))
    matrix, right = np.zeros((n + 1, n + 1)), np.zeros(n + 1)
    for coalition, weight in weighted.items():
        row = np.array([float(i in coalition) for i in range(n)])
        matrix[:n, :n] += weight * np.outer(row, row)
        right[:n] += weight * row * (game(coalition) - empty)
    matrix[n, :n] = matrix[:n, n] = 1.0
    right[n] = full - empty
    return list(np.linalg.solve(matrix, right)[:n])
