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


def overconfidence(probabilities, targets, bins):
    rows = reliability(probabilities, targets, bins)
    return sum(confidence - right for _, confidence, right in rows) / len(targets)


def ace(probabilities, targets, bins):
    """Classes one by one; ranks are cut into bins whose sizes differ by one at most."""
    n, classes, total = len(targets), len(probabilities[0]), 0.0
    for c in range(classes):
        order = sorted(range(n), key=lambda i: probabilities[i][c])
        for r in range(bins):
            some = [i for place, i in enumerate(order) if place * bins // n == r]
            if some:
                share = sum(targets[i] == c for i in some) / len(some)
                mean = sum(probabilities[i][c] for i in some) / len(some)
                total += len(some) / n * abs(share - mean) / classes
    return total


def confidence_gaps(probabilities, targets, least):
    """(lower end, gap, variance, freedom) of each bin of width 0.1, all members together."""
    cells = {}
    for m, member in enumerate(probabilities):
        for i, p in enumerate(member):
            confidence = max(p)
            place = min(math.floor(confidence * 10 + 1e-6), 9)
            cells.setdefault(place, []).append((m, i, confidence, p.index(confidence) == targets[i]))
    found, members = [], len(probabilities)
    for place, cell in sorted(cells.items()):
        gap = sum(c - hit for _, _, c, hit in cell) / len(cell)
        if len(cell) < least * members:
            found.append((place / 10, gap, None, None))
            continue
        left = []
        for out in range(members):
            rest = [c - hit for m, _, c, hit in cell if m != out]
            left.append(sum(rest) / len(rest))
        mean = sum(left) / members
        of_members = (members - 1) / members * sum((one - mean) ** 2 for one in left)
        seen, expected = {}, {}
        for _, i, c, hit in cell:
            seen[i] = seen.get(i, 0.0) + (c - hit - gap)
            expected[i] = expected.get(i, 0.0) + math.sqrt(c * (1 - c))
        of_examples = max(sum(v**2 for v in x.values()) for x in (seen, expected)) / len(cell) ** 2
        both, count = of_members + of_examples, len(cell) / members
        freedom = both**2 / (of_members**2 / (members - 1) + of_examples**2 / (count - 1))
        found.append((place / 10, gap, both, freedom))
    return found


def answer_sums(probabilities, targets, each, bins):
    """{(example, bin): [count, Σ right − confidence, Σ confidence, Σ right]}, ``each`` answers an example."""
    sums = {}
    for k, p in enumerate(probabilities):
        confidence = max(p)
        place = min(math.floor(confidence * bins + 1e-6), bins - 1)
        hit = p.index(confidence) == targets[k]
        cell = sums.setdefault((k // each, place), [0, 0.0, 0.0, 0])
        for number, value in enumerate((1, hit - confidence, confidence, hit)):
            cell[number] += value
    return sums


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


def gap_correlation(quantity, confidence, right, weight, least):
    """Weighted correlation of |confidence − accuracy| and the mean quantity over tenths of confidence."""
    cells = {}
    for q, c, hit, w in zip(quantity, confidence, right, weight, strict=True):
        cells.setdefault(min(math.floor(c * 10 + 1e-6), 9), []).append((q, c, hit, w))
    points = []
    for cell in cells.values():
        if len(cell) >= least:
            total = sum(w for *_, w in cell)
            gap = sum(w * (c - hit) for _, c, hit, w in cell) / total
            points.append((abs(gap), sum(w * q for q, _, _, w in cell) / total, total))
    if len(points) < 3:
        return math.nan
    total = sum(w for *_, w in points)
    x, y = (sum(point[i] * point[2] for point in points) / total for i in (0, 1))
    both = sum(w * (a - x) * (b - y) for a, b, w in points)
    sizes = sum(w * (a - x) ** 2 for a, _, w in points) * sum(w * (b - y) ** 2 for _, b, w in points)
    return both / math.sqrt(sizes)


def wrong_beside_right(quantity, confidence, predicted, right, least, near):
    """Σ q / Σ m − 1 over wrong predictions, m the mean of the right ones of their class next to them."""
    cases = list(zip(quantity, confidence, predicted, right, strict=True))
    mine = theirs = 0.0
    for number in set(predicted):
        good = sorted((c, q) for q, c, p, hit in cases if p == number and hit)
        bad = [(c, q) for q, c, p, hit in cases if p == number and not hit]
        if len(good) < least or len(bad) < least:
            continue
        for c, q in bad:
            below = [one for sure, one in good if sure < c][-near:]
            above = [one for sure, one in good if sure >= c][:near]
            mine, theirs = mine + q, theirs + sum(below + above) / len(below + above)
    return mine / theirs - 1 if theirs else math.nan
