"""What explanations of each kind of data give weight to, in words."""

from typing import NamedTuple

from holdfast.data.base import Kind


class Unit(NamedTuple):
    """How a page speaks of one kind of data: what has a score, an example, its length, and what decides."""

    one: str
    many: str
    examples: str
    lengths: str
    true: str
    all_true: str


UNITS: dict[Kind, Unit] = {
    "text": Unit("a word", "words", "sentences", "tokens", "a token of the true rationale", "the rationale"),
    "image": Unit(
        "a pixel", "pixels", "images", "strips", "a pixel of the blocks that decide", "the blocks that decide"
    ),
    "interaction": Unit(
        "an item", "items", "histories", "items", "an item that decides", "the items that decide"
    ),
}
