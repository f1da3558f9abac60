"""Naive twins of what training computes."""

import math


def bag_gradient(weights, step):
    """The slope of the mean cross-entropy of ``z = bias + Σ_t weight[word_t]`` over (text, class) pairs."""
    (weight, (bias,)) = weights
    by_weight, by_bias = [0.0] * len(weight), 0.0
    for text, label in step:
        z = bias + sum(weight[word] for word in text)
        error = (1 / (1 + math.exp(-z)) - label) / len(step)
        by_bias += error
        for word in text:
            by_weight[word] += error
    return [by_weight, [by_bias]]


def roc_auc(scores, targets):
    """How often a positive stands above a negative; a tie counts one half."""
    pairs = [(p, n) for p, y in zip(scores, targets, strict=True) if y == 1
             for n, x in zip(scores, targets, strict=True) if x == 0]  # fmt: skip
    return sum(1.0 if p > n else 0.5 if p == n else 0.0 for p, n in pairs) / len(pairs)


def drawn_row(chances, u):
    """Where a wheel with fields of these sizes stops, turned by the share ``u``."""
    total, reached = sum(chances), 0.0
    for row, chance in enumerate(chances):
        reached += chance / total
        if u < reached:
            return row
    return len(chances) - 1
