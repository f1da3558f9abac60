"""Large Movie Review Dataset."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.divide import hold_out
from holdfast.data.named_set import NamedSet, fields_of, numbered
from holdfast.data.reading import read_lines
from holdfast.data.text.corpus import Corpus, Part


@dataclass(frozen=True)
class Imdb(NamedSet):
    """Maas et al. 2011; lines ``label<TAB>rating<TAB>id<TAB>text``, line-break marks taken out."""

    name: ClassVar[str] = "imdb"
    about: ClassVar[str] = "whole film reviews, negative or positive (Maas et al.): 22,500 / 2,500 / 25,000"
    home: ClassVar[str] = (
        "the Large Movie Review Dataset v1.0 (ai.stanford.edu/~amaas/data/sentiment), "
        "as lines 'label<TAB>rating<TAB>id<TAB>text'"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "train": ("imdb/train.tsv",),
        "test": ("imdb/test.tsv",),
    }

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Read the files, by role."""
        train, validation = hold_out(_part(files["train"]), 0.1, "imdb")
        parts = {"train": train, "validation": validation, "test": _part(files["test"])}
        note = "IMDB publishes no validation texts: a seeded, stratified 10 % of the training texts is used."
        return Corpus(self.name, ("negative", "positive"), parts, (note,))


def _part(path: Path) -> Part:
    rows = fields_of(path, read_lines(path), 4)
    texts = [row[3].replace("<br />", " ") for row in rows]
    return Part(texts, numbered(path, [row[0] for row in rows], {"0": 0, "1": 1}))
