"""Texts as they were read, before any word has a number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """The texts of one split, their classes by number, and what some data have besides."""

    texts: Sequence[str]
    targets: Sequence[int]
    queries: Sequence[str] | None = None
    rationales: Sequence[Sequence[bool]] | None = None

    def take(self, rows: Sequence[int]) -> "Part":
        """Only these rows.

        >>> Part(["a", "b", "c"], [0, 1, 0]).take([2, 0])
        Part(texts=['c', 'a'], targets=[0, 0], queries=None, rationales=None)
        """
        queries = None if self.queries is None else [self.queries[i] for i in rows]
        rationales = None if self.rationales is None else [self.rationales[i] for i in rows]
        return Part([self.texts[i] for i in rows], [self.targets[i] for i in rows], queries, rationales)


@dataclass(frozen=True)
class Corpus:
    """All splits of a data set, and sentences that a reader of results must know."""

    name: str
    classes: tuple[str, ...]
    parts: Mapping[str, Part]
    notes: tuple[str, ...] = ()
