"""A picture in signed bytes: a heat map, or the image it explains, small enough to keep with the findings."""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from holdfast.core.errors import BadSetting

INPUT = "input"
MOST = 127
CONSENSUS = -1  # in the place of a seed: the mean of all


@dataclass(frozen=True)
class Picture:
    """One image, row by row, in steps from −127 to 127 of its own largest value (0 where it is empty).

    ``peak`` is that value, in a heat map whose absolute values add up to 1: the more it is spread out, the
    lower its peak. ``explainer`` is ``input`` for the image itself, which then has no model, and whose peak
    is its brightest pixel, of 1; ``row`` is the example's place in the test split, ``label`` its class and
    ``target`` the class that was explained.
    """

    data: str
    model: str
    explainer: str
    seed: int
    row: int
    label: str
    target: str
    height: int
    width: int
    values: tuple[int, ...]
    repair: str = "none"
    peak: float = 1.0

    def __post_init__(self) -> None:
        if len(self.values) != self.height * self.width:
            raise BadSetting(
                f"picture: expected {self.height} × {self.width} values, but got {len(self.values)}"
            )


def signed_bytes(values: Iterable[float]) -> tuple[int, ...]:
    """Values as steps of the largest; what is not finite is 0.

    >>> signed_bytes([0.5, -1.0, 0.0])
    (64, -127, 0)
    """
    known = [value if abs(value) < float("inf") else 0.0 for value in values]
    most = largest(known)
    return tuple(round(MOST * value / most) if most else 0 for value in known)


def largest(values: Iterable[float]) -> float:
    """The largest size of a value that is finite, 0 if there is none.

    >>> largest([0.5, -1.0, float("nan")])
    1.0
    """
    return max((abs(value) for value in values if abs(value) < float("inf")), default=0.0)


def picture_to_json(picture: Picture) -> dict[str, Any]:
    """Plain values; the bytes as text, a third of what a list of numbers takes."""
    raw = bytes(value & 255 for value in picture.values)
    return asdict(picture) | {"values": b64encode(raw).decode()}


def picture_from_json(values: dict[str, Any]) -> Picture:
    """Back from :func:`picture_to_json`.

    >>> one = Picture("digits", "deep", "lrp", 0, 3, "1", "1", 1, 2, (-127, 5))
    >>> picture_from_json(picture_to_json(one)) == one
    True
    """
    raw = b64decode(values["values"])
    return Picture(**(values | {"values": tuple(b - 256 if b > MOST else b for b in raw)}))
