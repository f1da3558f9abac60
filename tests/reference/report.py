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


# How a colour looks without one kind of cone (Machado, Oliveira & Fernandes 2009, severity 1), in linear RGB.
BLIND = {
    "to nothing": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen(colour: tuple[int, ...], matrix: tuple[tuple[float, ...], ...]) -> list[float]:
    """The linear RGB that somebody sees."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return [min(1.0, max(0.0, sum(a * b for a, b in zip(row, parts, strict=True)))) for row in matrix]


def lab(linear: list[float]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear sRGB, under D65."""
    to = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [
        sum(a * b for a, b in zip(row, linear, strict=True)) / n
        for row, n in zip(to, (0.9505, 1.0, 1.089), strict=True)
    ]
    x, y, z = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def filtered(colour: tuple[int, ...], bright: float, full: float) -> tuple[int, ...]:
    """What CSS ``brightness(bright) saturate(full)`` makes of a colour (Filter Effects, in sRGB)."""
    r, g, b = (min(255.0, bright * part) for part in colour)
    grey = 0.213 * r + 0.715 * g + 0.072 * b
    return tuple(round(grey + full * (part - grey)) for part in (r, g, b))


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
