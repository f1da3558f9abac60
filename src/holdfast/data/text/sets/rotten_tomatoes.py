"""Movie review polarity (MR)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.base import SPLITS
from holdfast.data.divide import divide
from holdfast.data.named_set import NamedSet
from holdfast.data.reading import read_lines
from holdfast.data.text.corpus import Corpus, Part


@dataclass(frozen=True)
class RottenTomatoes(NamedSet):
    """Pang and Lee 2005; one sentence a line, no published split."""

    name: ClassVar[str] = "rotten-tomatoes"
    about: ClassVar[str] = "film review sentences, negative or positive (MR): 8,530 / 1,066 / 1,066"
    home: ClassVar[str] = "sentence polarity dataset v1.0 (www.cs.cornell.edu/people/pabo/movie-review-data)"
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "negative": ("rotten-tomatoes/rt-polarity.neg",),
        "positive": ("rotten-tomatoes/rt-polarity.pos",),
    }

    def corpus(self, files: Mapping[str, Path]) -> Corpus:
        """Read the files, by role."""
        # the original distribution is not UTF-8, copies of it are
        negative, positive = (read_lines(files[role], "cp1252") for role in ("negative", "positive"))
        whole = Part([*negative, *positive], [0] * len(negative) + [1] * len(positive))
        cut = divide(whole.targets, (0.8, 0.1, 0.1), self.name)
        parts = {name: whole.take(rows) for name, rows in zip(SPLITS, cut, strict=True)}
        note = "Rotten Tomatoes publishes no splits: a seeded, stratified split of 80/10/10 % is used."
        return Corpus(self.name, ("negative", "positive"), parts, (note,))
