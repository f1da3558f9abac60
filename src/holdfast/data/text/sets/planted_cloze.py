"""Planted cloze questions as a named set: always there, nothing to download."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.core.errors import BadSetting
from holdfast.core.settings import at_most
from holdfast.data.base import SPLITS
from holdfast.data.named_set import NamedSet
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.planted_cloze import ENTITIES, Story, stories

MOST = 1_000_000  # stories, which are generated one by one


@dataclass(frozen=True)
class PlantedCloze(NamedSet):
    """Generated stories with a question each, whose answering words are known; other sizes do not change the
    test stories."""

    name: ClassVar[str] = "planted-cloze"
    about: ClassVar[str] = (
        "generated stories and cloze questions, the answering words known: 4,000 / 300 / 300"
    )
    train: int = 4000
    validation: int = 300
    test: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        for name in SPLITS:
            if getattr(self, name) < 2:
                raise BadSetting(
                    f"{self.name}: expected {name} to be at least 2, but got {getattr(self, name)}"
                )
            at_most(f"{self.name}: expected {name}", getattr(self, name), MOST)

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Generate the stories; ``files`` is empty."""
        test, validation, train = stories((self.test, self.validation, self.train), self.seed)
        parts = {"train": _part(train), "validation": _part(validation), "test": _part(test)}
        note = "The stories are generated; which words answer the question is known."
        return Corpus(self.name, ENTITIES, parts, (note,))


def _part(made: Sequence[Story]) -> Part:
    return Part(
        [" ".join(story.tokens) for story in made],
        [story.answer for story in made],
        [story.question for story in made],
        [story.rationale for story in made],
        [story.options for story in made],
    )
