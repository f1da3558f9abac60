"""Stanford Natural Language Inference: pairs of sentences."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.core.errors import BadData
from holdfast.data.named_set import NamedSet, fields_of, numbered
from holdfast.data.reading import read_lines
from holdfast.data.tables import unquoted
from holdfast.data.text.corpus import Corpus, Part

CLASSES = ("entailment", "neutral", "contradiction")
NUMBERS = {label: number for number, label in enumerate(CLASSES)}
SUBSET = {"1": 1, "2": 2, "3": 0}
SUBSET_NOTE = (
    "The training texts are a subset of {0:,} pairs, presumably of SNLI's 550,152: "
    "the full training file is not there."
)


@dataclass(frozen=True)
class Snli(NamedSet):
    """Bowman et al. 2015: the premise is attended, the hypothesis is the query."""

    name: ClassVar[str] = "snli"
    about: ClassVar[str] = (
        "pairs of sentences, entailment / neutral / contradiction: 550,152 (or a subset) / 9,842 / 9,824"
    )
    home: ClassVar[str] = "the Stanford Natural Language Inference Corpus (nlp.stanford.edu/projects/snli)"
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "train": ("snli/snli_1.0_train.jsonl", "snli/snli_train.tsv", "snli/cat_subset_train.csv"),
        "validation": ("snli/snli_1.0_dev.jsonl", "snli/snli_dev.tsv"),
        "test": ("snli/snli_1.0_test.jsonl", "snli/snli_test.tsv"),
    }

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Read the files, by role."""
        parts = {role: _part(path) for role, path in files.items()}
        small = files["train"].name.startswith("cat_subset")
        notes = (SUBSET_NOTE.format(len(parts["train"].texts)),) if small else ()
        return Corpus(self.name, CLASSES, parts, notes)


def _part(path: Path) -> Part:
    if path.name.startswith("cat_subset"):
        return _subset(path)
    return _published(path) if ".jsonl" in path.name else _tabbed(path)


def _tabbed(path: Path) -> Part:
    """A header, then ``label<TAB>premise<TAB>hypothesis``."""
    rows = fields_of(path, read_lines(path), 3)[1:]
    labels = numbered(path, [row[0] for row in rows], NUMBERS)
    return Part([row[1] for row in rows], labels, [row[2] for row in rows])


def _subset(path: Path) -> Part:
    """Lines ``label<TAB>label<TAB>premise<TAB>hypothesis``; 1 neutral, 2 contradiction, 3 entailment."""
    rows = [[unquoted(field) for field in row] for row in fields_of(path, read_lines(path), 4)]
    labels = numbered(path, [row[0] for row in rows], SUBSET)
    return Part([row[2] for row in rows], labels, [row[3] for row in rows])


def _published(path: Path) -> Part:
    """The corpus as it is distributed; pairs without a gold label ('-') are left out."""
    try:
        pairs = [json.loads(line) for line in read_lines(path)]
        kept = [pair for pair in pairs if pair["gold_label"] != "-"]
        labels = numbered(path, [pair["gold_label"] for pair in kept], NUMBERS)
        return Part([p["sentence1"] for p in kept], labels, [p["sentence2"] for p in kept])
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(
            f"{path}: expected lines with gold_label, sentence1 and sentence2 ({error!r})"
        ) from error
