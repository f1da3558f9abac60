"""Naive twins of adversarial training and of SEAT: one example at a time, loops, float64, autograd."""

import math

import torch

WORD = 2**32


def mixed(bits):
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        bits = ((bits ^ (bits >> shift)) * factor) % WORD
    return bits ^ (bits >> 16)


def expanded(first, second, count, turn=0):
    """Uniform numbers that follow from two drawn ones."""
    a, b = int(first * 2**24), int(second * 2**24)
    numbers = []
    for place in range(count):
        once = mixed((a + place * 0x9E3779B1) % WORD)
        twice = mixed((once + b * 0x85EBCA6B + turn * 0xC2B2AE35) % WORD)
        numbers.append((twice >> 8) / 2**24)
    return numbers


def normal(first, second, count, turn=0):
    """Box and Muller's."""
    u = expanded(first, second, 2 * count, turn)
    return [
        math.sqrt(-2 * math.log(1 - u[2 * i])) * math.cos(2 * math.pi * u[2 * i + 1]) for i in range(count)
    ]


def scaled(numbers, length):
    """ε g / ‖g‖ of a flat list."""
    norm = math.sqrt(sum(x * x for x in numbers))
    return [length * x / norm if norm > 0 else 0.0 for x in numbers]


def softmax(scores, allowed):
    """By its definition, over what is allowed; a tensor, so that autograd sees it."""
    top = sum(scores[t].exp() if allowed[t] else scores[t] * 0 for t in range(len(allowed)))
    return torch.stack([scores[t].exp() / top if allowed[t] else scores[t] * 0 for t in range(len(allowed))])


def slope(function, at):
    """The gradient of a number by a tensor."""
    at = at.detach().clone().requires_grad_()
    (found,) = torch.autograd.grad(function(at) + 0 * at.sum(), at)
    return found.detach()


def word_at(loss, embedded, length):
    """L(x) + L(x + r); ``loss`` takes the vectors of one text."""
    g = slope(loss, embedded)
    r = torch.tensor(scaled(g.flatten().tolist(), length)).view(embedded.shape)
    return loss(embedded) + loss(embedded + r)


def nearest(table, word, count):
    """The nearest words, without itself and padding."""
    far = {
        other: math.dist(table[other].tolist(), table[word].tolist())
        for other in range(1, len(table))
        if other != word
    }
    return sorted(far, key=lambda other: far[other])[:count]


def word_iat(loss, embedded, words, exists, table, near, length):
    """α itself is what the gradient is taken by."""
    places = [t for t in range(len(words)) if exists[t]]
    d = {}
    for t in places:
        for n, other in enumerate(near[words[t]]):
            apart = table[other] - table[words[t]]
            norm = float(apart.norm())
            d[t, n] = apart / norm if norm > 0 else apart * 0

    def moved(alpha):
        rows = []
        for t in range(len(words)):
            r = torch.zeros_like(embedded[t])
            for n in range(len(near[words[t]])):
                if (t, n) in d:
                    r = r + alpha[t, n] * d[t, n]
            rows.append(embedded[t] + r)
        return torch.stack(rows)

    zero = torch.zeros(len(words), max(map(len, near.values())), dtype=embedded.dtype)
    g = slope(lambda alpha: loss(moved(alpha)), zero)
    alpha = torch.tensor(scaled(g.flatten().tolist(), length)).view(g.shape)
    return loss(embedded) + loss(moved(alpha))


def attention_at(loss, count, length):
    """``loss`` takes r, which is added to the scores of one text."""
    g = slope(loss, torch.zeros(count, dtype=torch.float64))
    return loss(torch.tensor(scaled(g.tolist(), length), dtype=torch.float64))


def attention_iat(loss, scores, exists, length, unit=True):
    """α itself is what the gradient is taken by; ``scores`` before the softmax."""
    n = len(scores)
    d = [
        [float(scores[u] - scores[t]) if exists[t] and exists[u] else 0.0 for u in range(n)] for t in range(n)
    ]
    d = torch.tensor([scaled(row, 1.0) if unit else row for row in d], dtype=torch.float64)

    def r(alpha):
        return torch.stack([sum(alpha[t, u] * d[t, u] for u in range(n)) for t in range(n)])

    g = slope(lambda alpha: loss(r(alpha)), torch.zeros(n, n, dtype=torch.float64))
    alpha = torch.tensor(scaled(g.flatten().tolist(), length), dtype=torch.float64).view(n, n)
    return loss(r(alpha))


def in_top(weights, k):
    """Definition 1, by its letters."""
    return {i for i, own in enumerate(weights) if sum(other >= own for other in weights) <= k}


def surrogate(vanilla, own, k):
    """Of the positions that exist alone."""
    k = min(k, len(own)) or 1
    first = sum(abs(vanilla[i] - own[i]) for i in in_top(vanilla, k))
    second = sum(abs(own[i] - vanilla[i]) for i in in_top(own, k))
    return (first + second) / (2 * k)


def project(delta, radius, norm):
    """The nearest point of the ball."""
    if norm == "linf":
        return [max(-radius, min(radius, x)) for x in delta]
    length = math.sqrt(sum(x * x for x in delta))
    return [x * radius / length for x in delta] if length > radius else list(delta)


def ascent(harm, start, radius, norm, steps, size):
    """Every point on the way; ``harm`` takes δ of what exists."""
    way = [list(start)]
    for _ in range(steps):
        g = slope(harm, torch.tensor(way[-1], dtype=torch.float64)).tolist()
        step = [(x > 0) - (x < 0) for x in g] if norm == "linf" else scaled(g, 1.0)
        moved = [x + size * s for x, s in zip(way[-1], step, strict=True)]
        way.append(project(moved, radius, norm))
    return way


def inside(first, second, exists, radius, norm, turn=0):
    """A random point of the ball, as the code draws it."""
    width, count = len(exists), sum(exists)
    if norm == "linf":
        return [
            (2 * u - 1) * radius * e
            for u, e in zip(expanded(first, second, width, turn), exists, strict=True)
        ]
    direction = [x * e for x, e in zip(normal(first, second, width, turn), exists, strict=True)]
    (share,) = expanded(first, second, 1, -1 - turn)
    return [x * share ** (1 / max(count, 1)) for x in scaled(direction, radius)]


def cross_entropy(target, logits):
    """−Σ p log q, of two lists of logits."""
    top = [math.exp(x) for x in target]
    bottom = math.log(sum(math.exp(x) for x in logits))
    return -sum(x / sum(top) * (y - bottom) for x, y in zip(top, logits, strict=True))
