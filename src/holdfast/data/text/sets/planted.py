"""Planted reviews as a named set: always there, nothing to download."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.core.errors import BadSetting
from holdfast.core.settings import at_most
from holdfast.data.base import SPLITS
from holdfast.data.named_set import NamedSet
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.planted import Review, reviews

MOST = 1_000_000  # texts, which are generated one by one


@dataclass(frozen=True)
class Planted(NamedSet):
    """Generated film reviews whose deciding words are known; other sizes do not change the test texts."""

    name: ClassVar[str] = "planted"
    about: ClassVar[str] = "generated film reviews whose deciding words are known: 1,000 / 300 / 500"
    train: int = 1000
    validation: int = 300
    test: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        for name in SPLITS:
            if getattr(self, name) < 2:
                raise BadSetting(f"planted: expected {name} to be at least 2, but got {getattr(self, name)}")
            at_most(f"planted: expected {name}", getattr(self, name), MOST)

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Generate the reviews; ``files`` is empty."""
        test, validation, train = reviews((self.test, self.validation, self.train), self.seed)
        parts = {"train": _part(train), "validation": _part(validation), "test": _part(test)}
        note = "The reviews are generated; which words decide is known."
        return Corpus(self.name, ("negative", "positive"), parts, (note,))


def _part(made: Sequence[Review]) -> Part:
    return Part(
        [" ".join(review.tokens) for review in made],
        [int(review.positive) for review in made],
        rationales=[review.rationale for review in made],
    )
