"""The measures once more, naively: loops over members, pairs, instances and positions."""

import itertools
import math

import scipy.stats


def jackknife(values, estimate):
    """Value and ends, leaving out one element of ``values`` at a time."""
    n, value = len(values), estimate(values)
    if n < 3:
        return value, None, None
    left = [estimate([v for j, v in enumerate(values) if j != i]) for i in range(n)]
    middle = sum(left) / n
    half = scipy.stats.t.ppf(0.975, n - 1) * math.sqrt((n - 1) / n * sum((v - middle) ** 2 for v in left))
    return value, value - half, value + half


def pair_mean(members, table, instances):
    """Mean of ``table[i][j][b]`` over instances, then over pairs of the members kept."""
    means = [
        sum(table[i][j][b] for b in instances) / len(instances) for i, j in itertools.combinations(members, 2)
    ]
    return sum(means) / len(means)


def hold(members, values, shuffled, same, instances):
    """``(value − shuffled) / (same − shuffled)``, each a plain sum over pairs and instances."""
    top = bottom = 0.0
    for i, j in itertools.combinations(members, 2):
        for b in instances:
            top += values[i][j][b] - shuffled[i][j][b]
            bottom += same - shuffled[i][j][b]
    return top / bottom


def auc(scores, truth):
    wins = total = 0.0
    for s, t in zip(scores, truth, strict=True):
        for o, u in zip(scores, truth, strict=True):
            if t and not u:
                total += 1
                wins += 1.0 if s > o else 0.5 if s == o else 0.0
    return wins / total


def reliability(probabilities, targets, bins):
    rows = [[0, 0.0, 0] for _ in range(bins)]
    for p, target in zip(probabilities, targets, strict=True):
        confidence = max(p)
        row = rows[min(math.floor(confidence * bins + 1e-6), bins - 1)]
        row[0] += 1
        row[1] += confidence
        row[2] += p.index(confidence) == target
    return rows


def ece(probabilities, targets, bins):
    rows = reliability(probabilities, targets, bins)
    return sum(abs(right - confidence) for _, confidence, right in rows) / len(targets)


def mce(probabilities, targets, bins):
    rows = reliability(probabilities, targets, bins)
    return max(abs(right - confidence) / n for n, confidence, right in rows if n)


def wilcoxon(differences):
    """Two-sided p by trying every pattern of signs."""
    kept = [d for d in differences if d != 0]
    if not kept:
        return 1.0
    size = [abs(d) for d in kept]
    rank = [sum(o < s for o in size) + (sum(o == s for o in size) + 1) / 2 for s in size]
    seen = sum(r for r, d in zip(rank, kept, strict=True) if d > 0)
    sums = [
        sum(r for r, s in zip(rank, signs, strict=True) if s)
        for signs in itertools.product((0, 1), repeat=len(rank))
    ]
    below = sum(s <= seen for s in sums) / len(sums)
    above = sum(s >= seen for s in sums) / len(sums)
    return min(1.0, 2 * min(below, above))
