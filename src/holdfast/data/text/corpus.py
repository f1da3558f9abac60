"""Texts as they were read, before any word has a number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True)
class Part:
    """The texts of one split, their classes by number, and what some data have besides; ``options`` are the
    classes that can be the answer of a cloze question."""

    texts: Sequence[str]
    targets: Sequence[int]
    queries: Sequence[str] | None = None
    rationales: Sequence[Sequence[bool]] | None = None
    options: Sequence[Sequence[int]] | None = None

    @property
    def strata(self) -> Sequence[int]:
        """What splits keep in proportion: the classes; nothing of cloze questions, whose answers are many."""
        return self.targets if self.options is None else [0] * len(self.targets)

    @property
    def stratified(self) -> str:
        """What a note on a split says of it."""
        return ", stratified" if self.options is None else ""

    def take(self, rows: Sequence[int]) -> "Part":
        """Only these rows.

        >>> Part(["a", "b", "c"], [0, 1, 0]).take([2, 0])
        Part(texts=['c', 'a'], targets=[0, 0], queries=None, rationales=None, options=None)
        """
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return replace(self, **{name: [v[i] for i in rows] for name, v in values if v is not None})


@dataclass(frozen=True)
class Corpus:
    """All splits of a data set, and sentences that a reader of results must know."""

    name: str
    classes: tuple[str, ...]
    parts: Mapping[str, Part]
    notes: tuple[str, ...] = ()

    @property
    def cloze(self) -> bool:
        """Whether they are cloze questions, whose classes are entities."""
        return self.parts["train"].options is not None
