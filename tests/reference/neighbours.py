"""Neighbours by loops."""

import math


def shares(points, inside, k):
    """For each point: the share of its k nearest that share a group; those that tie share what is left."""
    found = []
    for i, here in enumerate(points):
        distances = {j: math.dist(here, there) for j, there in enumerate(points) if j != i}
        last = sorted(distances.values())[k - 1]
        before = [j for j, far in distances.items() if far < last - 1e-9]
        tied = [j for j, far in distances.items() if abs(far - last) <= 1e-9]
        left = (k - len(before)) / len(tied)
        same = {j: any(a and b for a, b in zip(inside[i], inside[j], strict=True)) for j in distances}
        found.append((sum(same[j] for j in before) + left * sum(same[j] for j in tied)) / k)
    return found


def share_in(points, inside, k, group):
    """For each point of a group: the share of its k nearest in that group."""
    alone = [[row[group]] for row in inside]
    every = shares(points, alone, k)
    return [every[i] for i, row in enumerate(inside) if row[group]]


def base(inside):
    """For each point: the share of all others that share a group."""
    n = len(inside)
    return [
        sum(any(a and b for a, b in zip(inside[i], inside[j], strict=True)) for j in range(n) if j != i)
        / (n - 1)
        for i in range(n)
    ]


def taken(near, histories, held, stratum, user, item):
    """How many of each seed's nearest took an item in training, and how many users of their strata."""
    takes = [item in history[:-held] for history in histories]
    took, expected = [], []
    for seed in near:
        took.append(sum(takes[one] for one in seed))
        rates = []
        for one in seed:
            alike = [v for v in range(len(histories)) if stratum[v] == stratum[one] and v != user]
            rates.append(sum(takes[v] for v in alike) / len(alike))
        expected.append(sum(rates))
    return took, expected


def at_least(count, of, chance):
    """P(X ≥ count) of a binomial X."""
    return sum(math.comb(of, x) * chance**x * (1 - chance) ** (of - x) for x in range(count, of + 1))
