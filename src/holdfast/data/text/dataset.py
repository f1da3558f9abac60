"""Texts with a class each: what a text classifier learns from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.core.files import write_tensors
from holdfast.core.records import Batch
from holdfast.data.base import SPLITS, Dataset, Split, Task
from holdfast.data.reading import listed
from holdfast.data.saved import pack, saved, unpack
from holdfast.data.text.cloze import HOLES, has_hole, named_in
from holdfast.data.text.sequences import Sequences
from holdfast.data.text.vocabulary import UNKNOWN, Vocabulary, tokenise

FORMAT = 1


@dataclass(frozen=True, eq=False)
class TextSplit(Split):
    """Texts of one split.

    ``queries`` is the second text of a pair; ``rationale`` marks, per token of ``texts``, what truly decides
    (planted data only); ``truncated`` counts the texts that were cut; ``options`` are the entities that can
    be the answer of a cloze question.
    """

    texts: Sequences
    classes: Int[Tensor, "N"]
    queries: Sequences | None = None
    rationale: Bool[Tensor, "L"] | None = None
    truncated: int = 0
    options: Bool[Tensor, "N C"] | None = None

    @property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many tokens each text has."""
        return self.texts.lengths

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """The class of each text."""
        return self.classes

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """The texts ``rows``, padded on the right to ``length`` (default: the longest of them)."""
        inputs, mask = self.texts.pad(rows, length)
        query, query_mask = (None, None) if self.queries is None else self.queries.pad(rows)
        weight = torch.ones(rows.shape)
        options = None if self.options is None else self.options[rows]
        return Batch(inputs, mask, self.classes[rows], weight, rows, query, query_mask, options=options)

    def truth(self, rows: Int[Tensor, "B"], length: int | None = None) -> Float[Tensor, "B T"] | None:
        """1 where a token truly decides, else 0; ``None`` where the truth is not known."""
        return None if self.rationale is None else self.texts.spread(self.rationale, rows, length).float()

    def excluded(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B C"] | None:
        """Entities that the passage does not name."""
        return None if self.options is None else ~self.options[rows]


@dataclass(frozen=True, eq=False)
class TextDataset(Dataset):
    """Train, validation and test texts; ``notes`` are sentences that a reader of results must know."""

    name: str
    task: Task
    splits: Mapping[str, TextSplit]
    vocabulary: Vocabulary
    notes: tuple[str, ...] = ()
    max_length: int = 256

    def tokens(self, split: str, row: int) -> list[str]:
        """The tokens of one text as they were written."""
        return self.splits[split].texts.words(row, self.vocabulary)

    def query(self, split: str, row: int) -> str:
        """The second text of a pair; nothing of a single text."""
        queries = self.splits[split].queries
        return "" if queries is None else " ".join(queries.words(row, self.vocabulary))

    def unknown(self, tokens: Sequence[str]) -> tuple[bool, ...]:
        """Which tokens are not in the vocabulary: all of them look alike to a model."""
        return tuple(token not in self.vocabulary.index for token in tokens)

    def known(self, number: int) -> str:
        """The word of a number, quoted; the unknown ones have one number."""
        return "an unknown word" if number == UNKNOWN else f"“{self.vocabulary.words[number]}”"

    def with_words(self, tokens: Sequence[str]) -> Self:
        """The same texts, with new numbers after all others for those of these tokens that have none."""
        new = tuple(sorted(set(tokens) - set(self.vocabulary.words)))
        vocabulary = Vocabulary((*self.vocabulary.words, *new))
        task = replace(self.task, vocabulary=len(vocabulary), words=vocabulary.words)
        return replace(self, vocabulary=vocabulary, task=task)

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a new text, cut as this data set's own were."""
        return tokenise(text, self.max_length, self.task.cloze)

    def read(self, texts: Sequence[str], queries: Sequence[str] | None = None) -> Batch:
        """New texts as a batch without targets, cut and numbered as this data set's own were."""
        if self.task.ids is not None:
            raise BadData(
                f"the texts of {self.name} came as ids of a tokenizer that is not known here: audit "
                "those that you want explained, with holdfast.audit"
            )
        first = self._encode(texts)
        second = None if queries is None else self._encode(queries)
        options = self._options(texts, queries) if self.task.cloze else None
        split = TextSplit(first, torch.zeros(len(texts), dtype=torch.long), second, options=options)
        return replace(split.batch(torch.arange(len(texts))), targets=None)

    def save(self, path: Path) -> str:
        """Write everything to one safetensors file; returns its SHA-256."""
        about = {
            "format": FORMAT,
            "name": self.name,
            "classes": self.task.classes,
            "pair": self.task.pair,
            "notes": self.notes,
            "max_length": self.max_length,
            "truncated": {name: split.truncated for name, split in self.splits.items()},
            **({"cloze": True} if self.task.cloze else {}),
        }
        tensors = {"about": pack(json.dumps(about)), "words": pack("\n".join(self.vocabulary.words))}
        tensors |= {n: t for n in ("vectors", "ids") if (t := getattr(self.task, n)) is not None}
        for name, split in self.splits.items():
            tensors |= _split_tensors(name, split)
        return write_tensors(path, tensors)

    @classmethod
    def load(cls, path: Path) -> "TextDataset":
        """Read back what :meth:`save` wrote."""
        with saved(path, FORMAT) as (about, tensors):
            vocabulary = Vocabulary(tuple(unpack(tensors["words"]).split("\n")))
            splits = {name: _split_of(tensors, name, about["truncated"][name]) for name in SPLITS}
        about_task = len(vocabulary), tuple(about["classes"]), about["pair"], tensors.get("vectors")
        more = {"cloze": about.get("cloze", False), "ids": tensors.get("ids")}
        task = Task(*about_task, words=vocabulary.words, **more)
        return cls(about["name"], task, splits, vocabulary, tuple(about["notes"]), about["max_length"])

    def _encode(self, texts: Sequence[str]) -> Sequences:
        tokens = [self.tokenise(text) for text in texts]
        if not all(tokens):
            raise BadData("expected a text with at least one word, but got an empty one")
        lengths = torch.tensor([0, *map(len, tokens)])
        flat = [token for some in tokens for token in some]
        unknown = tuple(token for token in flat if token not in self.vocabulary.index)
        ids = torch.tensor(self.vocabulary.encode(flat), dtype=torch.int32)
        return Sequences(ids, lengths.cumsum(0), unknown)

    def _options(self, texts: Sequence[str], queries: Sequence[str] | None) -> Bool[Tensor, "B C"]:
        if not all(map(has_hole, queries or ())):
            raise BadData(f"expected a question with a hole, {listed(HOLES, 'or')}, but it has none")
        options = torch.zeros(len(texts), len(self.task.classes), dtype=torch.bool)
        for row, text in enumerate(texts):
            options[row, named_in(text, self.task.classes)] = True
        if int(options.sum(1).min()) < 2:
            raise BadData(
                "expected a text that names two or more of the entities that the run knows, but it names "
                f"{int(options.sum(1).min())}: the first of them are {listed(self.task.classes[:5])}"
            )
        return options


def _split_tensors(name: str, split: TextSplit) -> dict[str, Tensor]:
    tensors = split.texts.tensors(f"{name}.texts") | {f"{name}.targets": split.classes}
    if split.queries is not None:
        tensors |= split.queries.tensors(f"{name}.queries")
    if split.rationale is not None:
        tensors[f"{name}.rationale"] = split.rationale
    if split.options is not None:
        tensors[f"{name}.options"] = split.options
    return tensors


def _split_of(tensors: Mapping[str, Tensor], name: str, truncated: int) -> TextSplit:
    queries = Sequences.of(tensors, f"{name}.queries") if f"{name}.queries.ids" in tensors else None
    texts = Sequences.of(tensors, f"{name}.texts")
    more = tensors.get(f"{name}.rationale"), truncated, tensors.get(f"{name}.options")
    return TextSplit(texts, tensors[f"{name}.targets"], queries, *more)
