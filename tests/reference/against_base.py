"""One base member against the others once more, naively: loops, floats."""

import math


def against_base(weights, mask, base):
    """For each instance the base member's largest weight, its quarter, and the JSD to each other member."""
    found = []
    for row, exists in enumerate(mask):
        each = [[w for w, here in zip(member[row], exists, strict=True) if here] for member in weights]
        largest, distances = max(each[base]), []
        for number, other in enumerate(each):
            if number == base:
                continue
            total = 0.0
            for p, q in zip(each[base], other, strict=True):
                m = (p + q) / 2
                total += (p * math.log(p / m) if p > 0 else 0.0) / 2
                total += (q * math.log(q / m) if q > 0 else 0.0) / 2
            distances.append(total)
        found.append((largest, min(3, int(largest * 4 + 1e-6)), distances))
    return found
