"""What a study adds up, once more, naively: loops over seeds, pairs and texts."""

import itertools
import math


def cka(x, y):
    """Linear CKA by sums over pairs of rows: ``Σ K_ij L_ij / √(Σ K_ij² Σ L_ij²)`` of centred kernels."""

    def centred(rows):
        n, width = len(rows), len(rows[0])
        means = [sum(row[j] for row in rows) / n for j in range(width)]
        return [[row[j] - means[j] for j in range(width)] for row in rows]

    a, b = centred(x), centred(y)
    n = len(a)
    k = [[sum(p * q for p, q in zip(a[i], a[j], strict=True)) for j in range(n)] for i in range(n)]
    m = [[sum(p * q for p, q in zip(b[i], b[j], strict=True)) for j in range(n)] for i in range(n)]

    def product(u, v):
        return sum(u[i][j] * v[i][j] for i in range(n) for j in range(n))

    scale = math.sqrt(product(k, k) * product(m, m))
    return product(k, m) / scale if scale > 1e-30 else 0.0


def mean_over_pairs(scores, lengths, chosen, between):
    """Mean over pairs of seeds of the mean over chosen texts of ``between(a, b)``, both ways."""
    means = []
    for a, b in itertools.combinations(range(len(scores)), 2):
        values = []
        for text in chosen:
            n = lengths[text]
            one, other = scores[a][text][:n], scores[b][text][:n]
            values.append((between(one, other) + between(other, one)) / 2)
        means.append(sum(values) / len(values))
    return sum(means) / len(means)


def sd(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def height(x, y):
    return (x * x - 1) ** 2 / 2 + y * y - x / 5
