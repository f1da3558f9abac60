"""Every comparison once more, naively: one instance, Python floats, valid positions only."""

import math

FLOOR = 1e-12


def distribution(scores, signed):
    if signed:
        scores = [max(s, 0.0) for s in scores] + [max(-s, 0.0) for s in scores]
    size = [abs(s) for s in scores]
    total = sum(size)
    return [s / total for s in size] if total > 0 else [1 / len(size)] * len(size) if size else []


def _kl(p, q):
    return sum(x * math.log(x / max(y, FLOOR)) for x, y in zip(p, q, strict=True) if x > 0)


def kl(a, b, signed):
    return max(_kl(distribution(a, signed), distribution(b, signed)), 0.0)


def jeffreys(a, b, signed):
    total = 0.0
    for x, y in zip(distribution(a, signed), distribution(b, signed), strict=True):
        total += (x - y) * (math.log(max(x, FLOOR)) - math.log(max(y, FLOOR)))
    return total


def jensen_shannon(a, b, signed):
    p, q = distribution(a, signed), distribution(b, signed)
    m = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    return 0.5 * _kl(p, m) + 0.5 * _kl(q, m)


def tvd(a, b, signed):
    return 0.5 * sum(
        abs(x - y) for x, y in zip(distribution(a, signed), distribution(b, signed), strict=True)
    )


def order(scores, signed):
    """Positions, first one first; Python's sort keeps equal ones in place."""
    return sorted(range(len(scores)), key=lambda i: -(scores[i] if signed else abs(scores[i])))


def jaccard(a, b, signed, numerator=1, denominator=5):
    n = -(-len(a) * numerator // denominator)
    first, second = set(order(a, signed)[:n]), set(order(b, signed)[:n])
    return 1 - len(first & second) / len(first | second) if first else 0.0


def top_k(scores, signed, k):
    """SEAT, Definition 1, word for word: ``{i : |{x_j ≥ x_i}| ≤ k}``."""
    keys = [s if signed else abs(s) for s in scores]
    return {i for i, x in enumerate(keys) if sum(other >= x for other in keys) <= k}


def topk_overlap(a, b, signed, k=3):
    first, second = top_k(a, signed, k), top_k(b, signed, k)
    return len(first & second) / max(len(first), len(second)) if first or second else 1.0


def shared_ranks(scores, signed):
    keys = [s if signed else abs(s) for s in scores]
    return [sum(o > k for o in keys) + (sum(o == k for o in keys) - 1) / 2 for k in keys]


def _constant(scores, signed):
    return len({s if signed else abs(s) for s in scores}) < 2


def _degenerate(a, b, signed):
    """The value where an order is missing, else None."""
    if _constant(a, signed) or _constant(b, signed):
        return 1.0 if _constant(a, signed) and _constant(b, signed) else 0.0
    return None


def spearman(a, b, signed):
    if (value := _degenerate(a, b, signed)) is not None:
        return value
    x, y = shared_ranks(a, signed), shared_ranks(b, signed)
    mx, my = sum(x) / len(x), sum(y) / len(y)
    top = sum((i - mx) * (j - my) for i, j in zip(x, y, strict=True))
    return top / math.sqrt(sum((i - mx) ** 2 for i in x) * sum((j - my) ** 2 for j in y))


def kendall(a, b, signed):
    if (value := _degenerate(a, b, signed)) is not None:
        return value
    x, y = ([s if signed else abs(s) for s in scores] for scores in (a, b))
    sign = lambda v: (v > 0) - (v < 0)  # noqa: E731
    pairs = [(sign(x[i] - x[j]), sign(y[i] - y[j])) for i in range(len(x)) for j in range(i)]
    top = sum(i * j for i, j in pairs)
    return top / math.sqrt(sum(abs(i) for i, _ in pairs) * sum(abs(j) for _, j in pairs))


def _dcg(rank_x, rank_y, discount):
    n = len(rank_x)
    return sum((n - x) / discount(y) for x, y in zip(rank_x, rank_y, strict=True))


def ndcg(a, b, signed, discount, first_rank):
    """Scaled by the best and the worst order, as the document words it; both directions averaged."""
    if (value := _degenerate(a, b, signed)) is not None:
        return value
    rank = lambda scores: [order(scores, signed).index(i) + first_rank for i in range(len(scores))]  # noqa: E731
    total = 0.0
    for x, y in ((rank(a), rank(b)), (rank(b), rank(a))):
        turned = [len(x) - 1 + 2 * first_rank - i for i in x]
        best, worst = _dcg(x, x, discount), _dcg(x, turned, discount)
        total += 2 * (_dcg(x, y, discount) - worst) / (best - worst) - 1
    return total / 2


def ndcg_log(a, b, signed, first_rank=0):
    return ndcg(a, b, signed, lambda r: math.log2(r + 2), first_rank)


def ndcg_lin(a, b, signed, first_rank=0):
    return ndcg(a, b, signed, lambda r: r + 2, first_rank)


def cosine(a, b, signed):
    x, y = ([s if signed else abs(s) for s in scores] for scores in (a, b))
    if not any(x) or not any(y):
        return 1.0 if not any(x) and not any(y) else 0.0
    top = sum(i * j for i, j in zip(x, y, strict=True))
    return top / math.sqrt(sum(i * i for i in x) * sum(j * j for j in y))
