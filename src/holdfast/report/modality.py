"""The words that a report uses for one modality, and how it draws the examples."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, ClassVar, NamedTuple

from holdfast.core.catalogue import KINDS
from holdfast.core.modality import modality_of
from holdfast.data.base import Kind
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement


class Unit(NamedTuple):
    """The words for a modality: what has a score (``one``, ``many``), what the examples are, what their
    ``lengths`` count, which of the scored things truly decide, how the true class is introduced where another
    class is explained (``truly``), what one ``example`` is, and what the ``metric`` of its
    models says where its name does not."""

    one: str
    many: str
    examples: str
    lengths: str
    true: str
    all_true: str
    truly: str = "labelled"
    example: str = "sentence"
    metric: str = ""

    @property
    def name(self) -> str:
        """What has a score, without its article.

        >>> modality("text").unit.name
        'word'
        """
        return self.one.partition(" ")[2]


class Room(NamedTuple):
    """How much room a page has for examples: bars under words or items, bytes of images."""

    bars: int
    size: int


class Modality(ABC):
    """``template`` is the part of a page that shows the examples; ``described`` are the kinds of methods
    whose own words a page repeats."""

    unit: ClassVar[Unit]
    template: ClassVar[str]
    described: ClassVar[Collection[str]] = KINDS

    def confidence(self, rows: Sequence[Measurement]) -> str:
        """What is meant by confidence in these rows."""
        return "Confidence is the probability of the predicted class."

    @abstractmethod
    def shown(self, findings: Findings, room: Room) -> dict[str, Any]:
        """What the template shows, families and explainers in the order of the verdicts."""


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("interaction").unit.many
    'items'
    """
    return modality_of(Modality, kind)  # type: ignore[no-any-return]
