"""Images and heat maps as tiny PNG files inside the page.

An image is shown in its own grey levels, on light and dark pages alike. In a heat map red speaks for the
class and blue against it; 0 is transparent.
"""

import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence

from holdfast.core.errors import BadSetting
from holdfast.report.charts.palette import AGAINST, FOR
from holdfast.study.picture import INPUT, MOST, Picture

LEVELS = 15
BELOW = 0.995
GREYS = [(round(255 * k / MOST),) * 3 for k in range(MOST + 1)]
NOTHING = (0, 0, 0)
Colour = tuple[int, int, int]


def png(height: int, width: int, cells: bytes, palette: Sequence[Colour], alphas: bytes) -> bytes:
    """A PNG of one byte per pixel, each the number of a colour in ``palette`` with its opacity.

    >>> png(1, 1, b"\\0", [(0, 0, 0)], b"\\0")[:4]
    b'\\x89PNG'
    """
    if len(cells) != height * width:
        raise BadSetting(f"image: expected {height} × {width} pixels, but got {len(cells)}")
    lines = b"".join(b"\0" + cells[y * width : (y + 1) * width] for y in range(height))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(value for colour in palette for value in colour)),
        (b"tRNS", alphas),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def picture_png(picture: Picture, positive: bool = False, full: float | None = None) -> bytes:
    """A heat map as PNG: transparent where it is 0, so that the background of the page shows, light or dark.

    ``full`` is the value from which on a pixel has full colour; by default the largest of the picture.
    ``positive`` leaves out what speaks against. An image of the data is drawn in grey; 0 is black, 1 white.
    """
    if picture.explainer == INPUT:
        return _grey(picture)
    strength = picture.peak / full if full else 1.0
    steps = [_step(value * strength, positive) for value in picture.values]
    palette = [NOTHING, *[FOR] * LEVELS, *[AGAINST] * LEVELS]
    alphas = bytes([0, *(round(255 * k / LEVELS) for k in (*range(1, LEVELS + 1),) * 2)])
    cells = bytes(step if step >= 0 else LEVELS - step for step in steps)
    return png(picture.height, picture.width, cells, palette, alphas)


def picture_link(picture: Picture, positive: bool = False, full: float | None = None) -> str:
    """A picture as a ``data:`` URL."""
    return f"data:image/png;base64,{b64encode(picture_png(picture, positive, full)).decode()}"


def full_of(pictures: Sequence[Picture], positive: bool = False) -> float:
    """The value that heat maps beside each other draw in full colour: 99.5 % of their pixels are below it.

    Not the largest of all, or one pixel of a concentrated map would leave the others blank.

    >>> one = Picture("digits", "deep", "lrp", 0, 3, "1", "1", 1, 2, (127, -64), peak=0.5)
    >>> full_of([one])
    0.5
    """
    values = sorted(
        picture.peak * (max(value, 0) if positive else abs(value)) / MOST
        for picture in pictures
        for value in picture.values
    )
    return values[min(int(BELOW * len(values)), len(values) - 1)] or values[-1] if values else 0.0


def describe_picture(picture: Picture, name: str) -> str:
    """The text alternative of a heat map: how much of the weight is on the left, in the centre, on the right.

    >>> one = Picture("digits", "deep", "lrp", 0, 3, "1", "1", 1, 3, (1, 4, -5))
    >>> describe_picture(one, "LRP of deep")
    'LRP of deep: 10 % left, 40 % centre, 50 % right; half of it against'
    """
    total = sum(map(abs, picture.values))
    if total == 0:
        return f"{name}: empty"
    thirds = [0, 0, 0]
    for place, value in enumerate(picture.values):
        thirds[3 * (place % picture.width) // picture.width] += abs(value)
    sides = zip(thirds, ("left", "centre", "right"), strict=True)
    said = ", ".join(f"{round(100 * part / total)} % {side}" for part, side in sides)
    against = -sum(value for value in picture.values if value < 0) / total
    return f"{name}: {said}{_against(against)}"


def _grey(picture: Picture) -> bytes:
    levels = bytes(min(MOST, max(0, round(value * picture.peak))) for value in picture.values)
    return png(picture.height, picture.width, levels, GREYS, b"\xff" * len(GREYS))


def _against(share: float) -> str:
    if share < 0.05:
        return ""
    return "; half of it against" if 0.45 <= share <= 0.55 else f"; {round(100 * share)} % of it against"


def _step(value: float, positive: bool) -> int:
    step = round(LEVELS * max(-1.0, min(value / MOST, 1.0)))
    return max(0, step) if positive else step


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
