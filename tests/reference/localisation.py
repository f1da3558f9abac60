"""Where relevance lies, and what deleting it does, once more, naively: one instance, loops, Python floats."""

import math


def in_blocks(scores, blocks, positive):
    size = len(scores) // blocks
    found = []
    for block in range(blocks):
        total = 0.0
        for score in scores[block * size : (block + 1) * size]:
            if score > 0 or not positive:
                total += score
        found.append(total)
    return found


def share(blocks, truth):
    """None where there is no relevance to share."""
    total = sum(blocks)
    return sum(r for r, t in zip(blocks, truth, strict=True) if t) / total if total > 0 else None


def cosine(blocks, truth):
    """Of shares with the mark; None where there is none."""
    if not any(blocks) or not any(truth):
        return None
    dot = sum(r for r, t in zip(blocks, truth, strict=True) if t)
    return dot / math.sqrt(sum(r * r for r in blocks)) / math.sqrt(sum(map(bool, truth)))


def over_time(steps):
    total = sum(max(s, 0.0) for s in steps)
    return [max(s, 0.0) / total for s in steps] if total else None


def moved(steps, ink):
    p, q = over_time(steps), over_time(ink)
    return None if p is None or q is None else sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def moved_by(steps, ink):
    p, q = over_time(steps), over_time(ink)
    if p is None or q is None:
        return None
    work = 0.0
    for cut in range(1, len(p)):
        work += abs(sum(p[:cut]) - sum(q[:cut]))
    return work / (len(p) - 1) if len(p) > 1 else 0.0


def structure(scores, ink, truth, blocks):
    """Pair by pair; None where no true block has ink that varies."""
    size, found = len(scores) // blocks, []
    for block in range(blocks):
        inside = range(block * size, (block + 1) * size)
        agree = whole = 0.0
        for i in inside:
            for j in inside:
                a, b = max(scores[i], 0.0), max(scores[j], 0.0)
                agree += (ink[i] - ink[j]) * ((a > b) - (a < b))
                whole += abs(ink[i] - ink[j])
        if truth[block] and whole > 0:
            found.append(agree / whole)
    return sum(found) / len(found) if found else None


def patches(steps, height, width, side):
    """The pixels (flat, in the order of strips) of each patch, patches by rows of the whole image."""
    found = []
    for top in range(0, height, side):
        for left in range(0, steps * width, side):
            part = []
            for y in range(top, min(top + side, height)):
                for x in range(left, min(left + side, steps * width)):
                    part.append((x // width) * height * width + y * width + x % width)
            found.append(part)
    return found


def deletion(predict, image, scores, parts, steps, background):
    """Predictions after each step; ``predict`` takes the flat image."""
    order = sorted(parts, key=lambda part: -sum(scores[i] for i in part))
    image, found = list(image), [predict(image)]
    for step in range(steps):
        for i in order[step] if step < len(order) else ():
            image[i] = background
        found.append(predict(image))
    return found


def two_way(values, groups, blocks):
    """Sums of squares between, within and over all, of a balanced design in blocks."""
    mean = sum(values) / len(values)

    def level(labels, label):
        own = [v for v, name in zip(values, labels, strict=True) if name == label]
        return sum(own) / len(own)

    between = within = total = 0.0
    for value, group, block in zip(values, groups, blocks, strict=True):
        g, b = level(groups, group) - mean, level(blocks, block) - mean
        between += g * g
        within += (value - mean - g - b) ** 2
        total += (value - mean) ** 2
    return between, within, total


def holm(ps):
    """Smallest level at which Holm's procedure, carried out step by step, rejects each."""
    found = []
    for own in range(len(ps)):
        levels = sorted({min(1.0, k * p) for p in ps for k in range(1, len(ps) + 1)})
        found.append(next((level for level in levels if own in _rejected(ps, level)), 1.0))
    return found


def _rejected(ps, level):
    out, left = set(), sorted(range(len(ps)), key=lambda i: ps[i])
    while left and ps[left[0]] * len(left) <= level + 1e-15:
        out.add(left.pop(0))
    return out
