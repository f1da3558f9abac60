"""Naive twins of what the report computes, in plain loops."""

import math


def winding(rings: list[list[tuple[float, float]]], x: float, y: float) -> int:
    """How often closed paths run around a point, by adding up angles."""
    turned = 0.0
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            a, b = math.atan2(ay - y, ax - x), math.atan2(by - y, bx - x)
            turned += (b - a + math.pi) % (2 * math.pi) - math.pi
    return round(turned / (2 * math.pi))


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` (WCAG 2.1)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.1)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def blend(over: tuple[int, ...], share: float, under: str) -> str:
    """A translucent colour laid over another."""
    mixed = [
        round(share * o + (1 - share) * int(under[i : i + 2], 16))
        for o, i in zip(over, (1, 3, 5), strict=True)
    ]
    return "#" + "".join(f"{part:02x}" for part in mixed)
