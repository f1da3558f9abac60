"""Hold once more, naively: loops over pairs, instances and positions, as the rules are written."""

import itertools
import math

import scipy.cluster.hierarchy
import scipy.spatial.distance
import scipy.stats


def weights(scores, signed):
    """|scores| made a distribution; positive and negative parts apart where signed; all 0 is even."""
    parts = [max(s, 0.0) for s in scores] + [max(-s, 0.0) for s in scores]
    cells = parts if signed else [abs(s) for s in scores]
    total = sum(cells)
    return [c / total for c in cells] if total else [1 / len(cells)] * len(cells)


def tvd(a, b, signed=False):
    return sum(abs(x - y) for x, y in zip(weights(a, signed), weights(b, signed), strict=True)) / 2


def of_draws(each, turn):
    """What the draws contribute to the variance of ln R̄: ``each[g][k]`` is group g's mean distance of k.

    Every group has one network for each turn, so the mean over all is the sum over turns of the mean over
    groups of independent numbers, one for each network; their variance is estimated from the groups.
    """
    groups, count = len(each), len(turn)
    variance = 0.0
    for one in set(turn):
        parts = [sum(row[k] for k in range(count) if turn[k] == one) / count for row in each]
        middle = sum(parts) / groups
        variance += sum((part - middle) ** 2 for part in parts) / (groups - 1) / groups
    whole = sum(map(sum, each)) / groups / count
    return variance / whole**2


def hold(near, far, n, drawn=0.0):
    """``near[i, j][k]`` and ``far[i, j][k]`` → value, low, high, by the log ratio; ``drawn`` is the draws'
    variance."""

    def ratio(members):
        pairs = list(itertools.combinations(members, 2))
        return math.log(sum(sum(near[p]) for p in pairs) / sum(sum(far[p]) for p in pairs))

    whole = ratio(range(n))
    left = [ratio([m for m in range(n) if m != out]) for out in range(n)]
    middle = sum(left) / n
    of_members = (n - 1) / n * sum((one - middle) ** 2 for one in left)
    count = len(next(iter(near.values())))
    d, r = ([sum(table[p][k] for p in table) / len(table) for k in range(count)] for table in (near, far))
    apart = [x / (sum(d) / count) - y / (sum(r) / count) for x, y in zip(d, r, strict=True)]
    mean = sum(apart) / count
    of_instances = sum((a - mean) ** 2 for a in apart) / (count - 1) / count
    half = scipy.stats.t.ppf(0.975, n - 1) * math.sqrt(of_members + of_instances + drawn)
    return 1 - math.exp(whole), 1 - math.exp(whole + half), 1 - math.exp(whole - half)


def two_groups(table):
    """The smaller of the two clusters that scipy's average linkage ends with."""
    linked = scipy.cluster.hierarchy.linkage(scipy.spatial.distance.squareform(table), "average")
    label = scipy.cluster.hierarchy.fcluster(linked, 2, "maxclust")
    parts = [[i for i in range(len(table)) if label[i] == one] for one in sorted(set(label))]
    return min(parts, key=lambda part: (len(part), part))


def ordered_like(values, untrained):
    """``values`` in the order of |untrained|: the largest |value| where |untrained| is largest (no ties)."""
    places = sorted(range(len(values)), key=lambda t: -abs(untrained[t]))
    moved = [0.0] * len(values)
    for place, value in zip(places, sorted(values, key=lambda v: -abs(v)), strict=True):
        moved[place] = value
    return moved


def contrast(scores):
    even = 1 / len(scores)
    return sum(abs(w - even) for w in weights(scores, False)) / 2 / (1 - even)


def short_and_longer(lengths):
    """Which inputs have two or three positions, and which more; nothing where at most a fifth have three or
    fewer."""
    if sum(length <= 3 for length in lengths) / len(lengths) <= 0.2:
        return []
    parts = [[k for k, length in enumerate(lengths) if length in (2, 3)]]
    parts += [[k for k, length in enumerate(lengths) if length > 3]]
    return [part for part in parts if part]


def under(near, far, kept):
    """``near[m][k]``, ``far[m][k]`` of the pairs that are ``kept`` → value, low, high: the same member's
    explanations of an input and of its changed copy, against that of an unrelated one."""
    members, count = range(len(near)), len(near[0])
    chosen = [k for k in range(count) if any(kept[m][k] for m in members)]

    def total(table, some):
        return sum(table[m][k] for m in some for k in chosen if kept[m][k])

    def ratio(some):
        return math.log(total(near, some) / total(far, some))

    left = [ratio([m for m in members if m != out]) for out in members]
    middle, n = sum(left) / len(near), len(near)
    of_members = (n - 1) / n * sum((one - middle) ** 2 for one in left)
    d, r = ([sum(t[m][k] for m in members if kept[m][k]) / n for k in chosen] for t in (near, far))
    apart = [x / (sum(d) / len(d)) - y / (sum(r) / len(r)) for x, y in zip(d, r, strict=True)]
    mean = sum(apart) / len(apart)
    of_instances = sum((a - mean) ** 2 for a in apart) / (len(apart) - 1) / len(apart)
    half = scipy.stats.t.ppf(0.975, n - 1) * math.sqrt(of_members + of_instances)
    whole = ratio(members)
    return 1 - math.exp(whole), 1 - math.exp(whole + half), 1 - math.exp(whole - half)
