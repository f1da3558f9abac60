"""How a page speaks of one modality, and how it draws its examples."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

from holdfast.core.modality import modality_of
from holdfast.data.base import Kind
from holdfast.study.findings import Findings


class Unit(NamedTuple):
    """What explanations give weight to, in words: what has a score, examples, their length, what decides,
    how the truth is told where something else is explained, and one example."""

    one: str
    many: str
    examples: str
    lengths: str
    true: str
    all_true: str
    truly: str = "labelled"
    example: str = "sentence"

    @property
    def name(self) -> str:
        """What has a score, without its article.

        >>> modality("text").unit.name
        'word'
        """
        return self.one.partition(" ")[2]


class Room(NamedTuple):
    """How much a page may spend on examples: bars of words or items, bytes of images."""

    bars: int
    size: int


class Modality(ABC):
    """``template`` is the part of a page that shows the examples."""

    unit: ClassVar[Unit]
    template: ClassVar[str]

    @abstractmethod
    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """What the template shows, families and explainers in the order of the verdicts."""


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("interaction").unit.many
    'items'
    """
    return modality_of(Modality, kind)  # type: ignore[no-any-return]
