"""The contract of a data set: named splits, each of which gives batches."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.core.records import Batch, Member
from holdfast.data.features.columns import Columns

SPLITS = ("train", "validation", "test")
Kind = str  # the name of a modality, and of its files


@dataclass(frozen=True)
class Task:
    """What a model must know of the data to be built: sizes, and the vectors that words start from.

    ``vectors`` has one row per word; a row of zeros means "none known" and is drawn per member. ``strip`` is
    (steps, height, width) where the input is an image cut into strips; there are no words then. ``length`` is
    how many items of a history a recommender sees; the words are items then (0 is none), and so are the
    classes, which have no names here. ``cloze`` says that the classes are entities, of which every example
    names those that can be its answer. ``sizes`` says how many windows to train on hold 0, 1, … items,
    ``counts`` how many examples of each class a member trains on; nothing where that is not known. ``users``
    is how many users a recommender knows, ``rated`` whether they rated every item that they took. ``words``
    are the words themselves, by number, for models that cut them into pieces; ``ids`` what a tokenizer of
    somebody's own calls them, by number, for models that know them so (below 0: it has no such word).
    ``columns`` are those of a table of features, where the input is one of its rows.
    """

    vocabulary: int
    classes: tuple[str, ...]
    pair: bool = False
    vectors: Float[Tensor, "V D"] | None = None
    strip: tuple[int, int, int] | None = None
    length: int | None = None
    sizes: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    users: int = 0
    rated: bool = False
    cloze: bool = False
    words: tuple[str, ...] = ()
    ids: Int[Tensor, "V"] | None = None
    columns: Columns | None = None

    @property
    def kind(self) -> Kind:
        """What the input consists of."""
        if self.columns is not None:
            return "features"
        if self.length is not None:
            return "interaction"
        return "text" if self.strip is None else "image"


class Split(ABC):
    """Examples that are batched by row number.

    ``drawn`` means that examples are drawn anew for each epoch and member, by :meth:`fresh`. A split may
    instead have fixed examples and draw only :meth:`negatives` for them.
    """

    drawn: ClassVar[bool] = False

    @property
    def padded(self) -> bool:
        """False means that all examples have the same length, so that no batch is ever padded."""
        return True

    @property
    def widest(self) -> int | None:
        """Where padding is on the left, the width of scores, which no batch exceeds; else ``None``."""
        return None

    @property
    @abstractmethod
    def lengths(self) -> Int[Tensor, "N"]:
        """How many positions each example has."""

    @property
    @abstractmethod
    def targets(self) -> Int[Tensor, "N"]:
        """The class of each example."""

    @abstractmethod
    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """The examples ``rows``, padded on the right to ``length`` (default: the longest of them)."""

    def scored(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B P"]:
        """Which of the scores that an explainer gives these examples are of something that exists."""
        lengths = self.lengths[rows]
        return torch.arange(int(lengths.max())) < lengths[:, None]

    def fitted(self, scores: Float[Tensor, "*M B P"], width: int) -> Float[Tensor, "*M B W"]:
        """Scores at another width: what is too much, or lacks, is padding."""
        more = width - scores.shape[-1]
        return F.pad(scores, (0, more) if self.widest is None else (more, 0))

    def truth(self, rows: Int[Tensor, "B"], length: int | None = None) -> Float[Tensor, "B P"] | None:
        """1 where a score ought to be high, else 0; ``None`` where the truth is not known."""
        return None

    def trains(self, member: Member) -> Int[Tensor, "n"] | None:
        """The rows that a member trains on; ``None`` means all. Every member of a family has as many."""
        return None

    def held(self, member: Member) -> Int[Tensor, "n"] | None:
        """The rows of a split to train on that a member never saw; ``None`` where it sees all of them."""
        return None

    def fresh(self, member: Member, epoch: int, negatives: int, device: torch.device) -> Batch:
        """All rows as a member sees them in an epoch, on that device, with so many negatives a position; the
        same every time where the split is not ``drawn``."""
        return self.batch(torch.arange(len(self))).to(device)

    def negatives(
        self, member: Member, epoch: int, count: int, device: torch.device
    ) -> Int[Tensor, "N S K"] | None:
        """``count`` negatives for each item that a row trains on, a member's own in an epoch; ``None`` where
        nothing, or everything, is drawn."""
        return None

    @property
    def taken(self) -> tuple[int, int]:
        """Of the items that rows train on, how many were disliked, and how many not."""
        return 0, 0

    def excluded(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B C"] | None:
        """Classes that cannot be the answer, where there are such: items that the user knows already, or
        entities that the passage does not name."""
        return None

    def __len__(self) -> int:
        return len(self.targets)


class Dataset(ABC):
    """Named splits of one task; saved and loaded as safetensors, so that workers need nothing else.

    ``notes`` are sentences that a reader of results must know.
    """

    name: str
    notes: tuple[str, ...] = ()
    task: Task
    splits: Mapping[str, Split]

    @classmethod
    def narrow(cls, dataset: "Dataset") -> Self:
        """The same data set, as one of this class."""
        if not isinstance(dataset, cls):
            raise BadData(f"'{dataset.name}': expected {cls.__name__}, but got {type(dataset).__name__}")
        return dataset

    def numbers(self, batch: Batch) -> Bool[Tensor, "B T"]:
        """Which positions hold numbers, or pixels, that can be a little larger or smaller."""
        return torch.zeros_like(batch.mask)

    @abstractmethod
    def save(self, path: Path) -> str:
        """Write all tensors to one safetensors file; returns its SHA-256."""

    @classmethod
    @abstractmethod
    def load(cls, path: Path) -> "Dataset":
        """Read back what :meth:`save` wrote."""
