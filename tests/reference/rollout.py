"""Ranking, entropy, deletion of items and attention between groups once more, naively: loops, floats."""

import math


def rank(scores, target):
    """From 1; equal scores stand before the target."""
    return sum(1 for score in scores if score >= scores[target])


def hr(ranks, k):
    return sum(1 for r in ranks if r <= k) / len(ranks)


def ndcg(ranks, k):
    return sum(1 / math.log2(r + 1) if r <= k else 0.0 for r in ranks) / len(ranks)


def mrr(ranks):
    return sum(1 / r for r in ranks) / len(ranks)


def entropy(scores):
    """In bits; scores that are all 0 are spread evenly."""
    total = sum(abs(s) for s in scores)
    p = [abs(s) / total for s in scores] if total else [1 / len(scores)] * len(scores)
    return -sum(x * math.log2(x) for x in p if x > 0)


def softmax(logits):
    most = max(logits)
    each = [math.exp(x - most) for x in logits]
    return [x / sum(each) for x in each]


def kl(p, q):
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def jeffreys(p, q):
    return (kl(p, q) + kl(q, p)) / 2


def jensen_shannon(p, q):
    m = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (kl(p, m) + kl(q, m)) / 2


def item_deletion(predict, items, scores, steps, divergence):
    """``predict`` maps {place: item} to logits; ``items`` are {place: item}."""
    order = sorted(items, key=lambda place: -scores[place])
    whole = softmax(predict(items))
    curve = []
    for step in range(steps + 1):
        kept = {place: item for place, item in items.items() if place not in order[:step]}
        curve.append(divergence(whole, softmax(predict(kept))))
    return curve


def between_groups(attention, queries, keys, groups):
    """The mean attention of the queries of one group to the keys of another."""
    table = []
    for a in range(groups):
        line = []
        for b in range(groups):
            weights = [
                attention[i][j]
                for i in range(len(queries))
                for j in range(len(keys))
                if queries[i] == a and keys[j] == b
            ]
            line.append(sum(weights) / len(weights))
        table.append(line)
    return table
