"""AG's news: four topics, or World against Business as in the lineage."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.divide import hold_out
from holdfast.data.named_set import NamedSet, numbered
from holdfast.data.reading import read_text
from holdfast.data.tables import parse_csv
from holdfast.data.text.corpus import Corpus, Part

TOPICS = ("World", "Sports", "Business", "Sci/Tech")
FILES = {"train": ("ag_news/train.csv",), "test": ("ag_news/test.csv",)}
HOME = "AG's News Topic Classification Dataset (Zhang et al. 2015), quoted lines 'class,title,description'"
NOTE = "AG News publishes no validation texts: a seeded, stratified 10 % of the training texts is used."


@dataclass(frozen=True)
class AgNews(NamedSet):
    """Zhang et al. 2015: title and description of a news item, four topics."""

    name: ClassVar[str] = "ag_news"
    about: ClassVar[str] = "news by topic, four classes (Zhang et al.): 108,000 / 12,000 / 7,600"
    home: ClassVar[str] = HOME
    files: ClassVar[Mapping[str, tuple[str, ...]]] = FILES

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Read the files, by role."""
        return _corpus(self.name, files, TOPICS)


@dataclass(frozen=True)
class WorldBusiness(NamedSet):
    """The two topics that Jain (§4.2) and the work before it compare."""

    name: ClassVar[str] = "ag_news/world-business"
    about: ClassVar[str] = "news, World against Business (of ag_news): 54,000 / 6,000 / 3,800"
    home: ClassVar[str] = HOME
    files: ClassVar[Mapping[str, tuple[str, ...]]] = FILES

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Read the files, by role."""
        return _corpus(self.name, files, ("World", "Business"))


def _corpus(name: str, files: Mapping[str, Path], topics: tuple[str, ...]) -> Corpus:
    train, validation = hold_out(_part(files["train"], topics), 0.1, "ag_news")
    parts = {"train": train, "validation": validation, "test": _part(files["test"], topics)}
    return Corpus(name, topics, parts, (NOTE,))


def _part(path: Path, topics: tuple[str, ...]) -> Part:
    columns = parse_csv(path, read_text(path), ("class", "title", "description"), header=False)
    texts = [f"{title} {body}" for title, body in zip(columns["title"], columns["description"], strict=True)]
    all_four = numbered(path, columns["class"], {str(number): number - 1 for number in range(1, 5)})
    kept = [row for row, topic in enumerate(all_four) if TOPICS[topic] in topics]
    return Part([texts[row] for row in kept], [topics.index(TOPICS[all_four[row]]) for row in kept])
