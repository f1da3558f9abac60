"""Stanford Sentiment Treebank, whole sentences, two classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.named_set import NamedSet, fields_of, numbered
from holdfast.data.reading import read_lines
from holdfast.data.text.corpus import Corpus, Part


@dataclass(frozen=True)
class Sst2(NamedSet):
    """Socher et al. 2013, the published binary sentence splits; lines ``sentence<TAB>label``."""

    name: ClassVar[str] = "sst2"
    about: ClassVar[str] = "film review sentences, negative or positive (SST binary): 6,920 / 872 / 1,821"
    home: ClassVar[str] = (
        "the Stanford Sentiment Treebank (nlp.stanford.edu/sentiment), lines 'sentence<TAB>label'"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "train": ("sst2/train.tsv",),
        "validation": ("sst2/dev.tsv",),
        "test": ("sst2/test.tsv",),
    }

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Read the files, by role."""
        return Corpus(
            self.name, ("negative", "positive"), {role: _part(path) for role, path in files.items()}
        )


def _part(path: Path) -> Part:
    rows = fields_of(path, read_lines(path), 2)
    return Part([text for text, _ in rows], numbered(path, [label for _, label in rows], {"0": 0, "1": 1}))
