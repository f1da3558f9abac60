"""Shapley values and background averages of tables, as their definitions say, in loops and float64."""

from collections.abc import Callable
from itertools import combinations
from math import factorial

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]


def worth(function: Function, row: np.ndarray, background: np.ndarray, kept: tuple[int, ...]) -> float:
    """The mean of the function over the background, whose columns ``kept`` are the row's."""
    mixed = background.copy()
    for column in kept:
        mixed[:, column] = row[column]
    return float(function(mixed).mean())


def shapley(function: Function, row: np.ndarray, background: np.ndarray) -> np.ndarray:
    """``φ_i = Σ_{S∌i} s!(n − s − 1)!/n! · (F(S ∪ i) − F(S))``."""
    n = len(row)
    found = np.zeros(n)
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for size in range(n):
            share = factorial(size) * factorial(n - size - 1) / factorial(n)
            for some in combinations(others, size):
                gain = worth(function, row, background, (*some, i)) - worth(function, row, background, some)
                found[i] += share * gain
    return found


def leave_one_out(function: Function, row: np.ndarray, background: np.ndarray) -> np.ndarray:
    """``F(x) − F(x without column t)``."""
    every = tuple(range(len(row)))
    whole = worth(function, row, background, every)
    return np.array(
        [whole - worth(function, row, background, tuple(j for j in every if j != i)) for i in every]
    )


def permutation(function: Function, row: np.ndarray, background: np.ndarray) -> np.ndarray:
    """``mean_b |F(x) − F(x with column t of row b)|``."""
    whole = float(function(row[None])[0])
    found = np.zeros(len(row))
    for column in range(len(row)):
        swapped = np.repeat(row[None], len(background), 0)
        swapped[:, column] = background[:, column]
        found[column] = np.abs(whole - function(swapped)).mean()
    return found
