"""Where relevance lies, and what deleting it does, once more, naively: one instance, loops, Python floats."""

import math


def blocks_of(picture, blocks):
    """The sum over each part of the columns of an image (rows of numbers)."""
    width = len(picture[0]) // blocks
    return [sum(row[x] for row in picture for x in range(k * width, (k + 1) * width)) for k in range(blocks)]


def share(blocks, truth):
    """None where there is no relevance to share."""
    total = sum(blocks)
    return sum(r for r, t in zip(blocks, truth, strict=True) if t) / total if total > 0 else None


def cosine(blocks, truth):
    """Of shares with the mark; None where there are none."""
    if sum(blocks) <= 0 or not any(truth):
        return None
    dot = sum(r for r, t in zip(blocks, truth, strict=True) if t)
    return dot / math.sqrt(sum(r * r for r in blocks)) / math.sqrt(sum(map(bool, truth)))


def over_time(steps):
    total = sum(max(s, 0.0) for s in steps)
    return [max(s, 0.0) / total for s in steps] if total else None


def moved_by(steps, ink):
    p, q = over_time(steps), over_time(ink)
    if p is None or q is None:
        return None
    work = 0.0
    for cut in range(1, len(p)):
        work += abs(sum(p[:cut]) - sum(q[:cut]))
    return work / (len(p) - 1) if len(p) > 1 else None


def structure(scores, ink, truth):
    """Pair by pair, in blocks of pixels; None where no true block has ink that varies."""
    agreements = []
    for relevance, drawn, true in zip(scores, ink, truth, strict=True):
        agree = whole = 0.0
        for a, x in zip(relevance, drawn, strict=True):
            for b, y in zip(relevance, drawn, strict=True):
                a0, b0 = max(a, 0.0), max(b, 0.0)
                agree += (x - y) * ((a0 > b0) - (a0 < b0))
                whole += abs(x - y)
        if true and whole > 0:
            agreements.append(agree / whole)
    return sum(agreements) / len(agreements) if agreements else None


def two_jackknives(values, known, group):
    """The mean over known images, then members, and its variance: of members and of groups, added."""

    def mean(members, groups):
        each = []
        for m in members:
            kept = [v for v, k, g in zip(values[m], known[m], group, strict=True) if k and g in groups]
            each.append(sum(kept) / len(kept))
        return sum(each) / len(each)

    def variance(left):
        middle = sum(left) / len(left)
        return (len(left) - 1) / len(left) * sum((x - middle) ** 2 for x in left)

    members, groups = range(len(values)), sorted(set(group))
    by_member = [mean([m for m in members if m != out], groups) for out in members]
    by_group = [mean(members, [g for g in groups if g != out]) for out in groups]
    return mean(members, groups), variance(by_member) + variance(by_group)


def patches(steps, height, width, side):
    """The pixels (flat, in the order of strips) of each patch, patches by rows of the whole image."""
    patches = []
    for top in range(0, height, side):
        for left in range(0, steps * width, side):
            part = []
            for y in range(top, min(top + side, height)):
                for x in range(left, min(left + side, steps * width)):
                    part.append((x // width) * height * width + y * width + x % width)
            patches.append(part)
    return patches


def deletion(predict, image, scores, parts, steps, background):
    """Predictions after each step; ``predict`` takes the flat image."""
    order = sorted(parts, key=lambda part: -sum(scores[i] for i in part))
    image, curve = list(image), [predict(image)]
    for step in range(steps):
        for i in order[step] if step < len(order) else ():
            image[i] = background
        curve.append(predict(image))
    return curve


def two_way(values, groups, blocks):
    """Sums of squares between, within and over all, of a balanced design in blocks."""
    mean = sum(values) / len(values)

    def level(labels, label):
        group = [v for v, name in zip(values, labels, strict=True) if name == label]
        return sum(group) / len(group)

    between = within = total = 0.0
    for value, group, block in zip(values, groups, blocks, strict=True):
        g, b = level(groups, group) - mean, level(blocks, block) - mean
        between += g * g
        within += (value - mean - g - b) ** 2
        total += (value - mean) ** 2
    return between, within, total


def holm(ps):
    """Smallest level at which Holm's procedure, carried out step by step, rejects each."""
    levels_rejected = []
    for index in range(len(ps)):
        levels = sorted({min(1.0, k * p) for p in ps for k in range(1, len(ps) + 1)})
        levels_rejected.append(next((level for level in levels if index in _rejected(ps, level)), 1.0))
    return levels_rejected


def _rejected(ps, level):
    out, left = set(), sorted(range(len(ps)), key=lambda i: ps[i])
    while left and ps[left[0]] * len(left) <= level + 1e-15:
        out.add(left.pop(0))
    return out
