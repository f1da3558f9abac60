"""TweetEval: tweets by emotion, and tweets that hate."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.core.errors import BadData
from holdfast.data.named_set import NamedSet, numbered
from holdfast.data.reading import read_lines
from holdfast.data.text.corpus import Corpus, Part

ROLES = {"train": "train", "validation": "val", "test": "test"}
HOME = "TweetEval (github.com/cardiffnlp/tweeteval, folder datasets)"


class TweetEval(NamedSet):
    """Barbieri et al. 2020; one tweet a line, one label a line in a second file."""

    @property
    @abstractmethod
    def classes(self) -> tuple[str, ...]:
        """The names of the labels 0, 1, …."""

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Read the files, by role."""
        numbers = {str(number): number for number in range(len(self.classes))}
        parts = {role: _part(files[f"{role} texts"], files[f"{role} labels"], numbers) for role in ROLES}
        return Corpus(self.name, self.classes, parts)


def _files(task: str) -> dict[str, tuple[str, ...]]:
    return {
        f"{role} {kind}": (f"tweeteval/{task}/{short}_{ending}.txt",)
        for role, short in ROLES.items()
        for kind, ending in (("texts", "text"), ("labels", "labels"))
    }


def _part(texts: Path, labels: Path, numbers: Mapping[str, int]) -> Part:
    lines, given = read_lines(texts), [label.strip() for label in read_lines(labels)]
    if len(lines) != len(given):
        raise BadData(
            f"{labels}: expected {len(lines)} labels, one for each line of {texts}, but got {len(given)}"
        )
    return Part(lines, numbered(labels, given, numbers))


@dataclass(frozen=True)
class Emotion(TweetEval):
    """Mohammad et al. 2018: four emotions."""

    name: ClassVar[str] = "tweeteval/emotion"
    about: ClassVar[str] = "tweets by emotion, four classes: 3,257 / 374 / 1,421"
    home: ClassVar[str] = HOME
    files: ClassVar[Mapping[str, tuple[str, ...]]] = _files("emotion")

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the labels 0, 1, …."""
        return ("anger", "joy", "optimism", "sadness")


@dataclass(frozen=True)
class Hate(TweetEval):
    """Basile et al. 2019: hate speech or not."""

    name: ClassVar[str] = "tweeteval/hate"
    about: ClassVar[str] = "tweets, hateful or not: 9,000 / 1,000 / 2,970"
    home: ClassVar[str] = HOME
    files: ClassVar[Mapping[str, tuple[str, ...]]] = _files("hate")

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the labels 0, 1, …."""
        return ("not-hate", "hate")
