"""What claims are made of, once more, naively."""

import itertools
import math


def holm(ps):
    """Sorted, times what is left, never falling, at most 1."""
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    out, worst = [0.0] * len(ps), 0.0
    for rank, i in enumerate(order):
        worst = max(worst, min(1.0, (len(ps) - rank) * ps[i]))
        out[i] = worst
    return out


def mean(values):
    return sum(values) / len(values)


def sd(values):
    return math.sqrt(sum((v - mean(values)) ** 2 for v in values) / (len(values) - 1))


def jackknife(statistic, n):
    """The variance from leaving each of n out; ``statistic`` is given which to keep."""
    left = [statistic([j for j in range(n) if j != i]) for i in range(n)]
    return (n - 1) / n * sum((value - mean(left)) ** 2 for value in left)


def mean_of_pairs(table, seeds, texts):
    """The mean over pairs of seeds of the mean over texts; ``table[i, j]`` holds a value for each text."""
    pairs = list(itertools.combinations(seeds, 2))
    return mean([mean([table[pair][t] for t in texts]) for pair in pairs])


def mean_deviation(table, seeds, texts):
    """The mean over texts of the deviation over seeds; ``table[i]`` holds a value for each text."""
    return mean([sd([table[i][t] for i in seeds]) for t in texts])
