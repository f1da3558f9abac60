"""The contract of a data set: named splits, each of which gives batches."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Task:
    """What a model must know of the data to be built: sizes, and the vectors that words start from.

    ``vectors`` has one row per word; a row of zeros means "none known" and is drawn per member.
    """

    vocabulary: int
    classes: tuple[str, ...]
    pair: bool = False
    vectors: Float[Tensor, "V D"] | None = None


class Split(ABC):
    """Examples that are batched by row number."""

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

    def __len__(self) -> int:
        return len(self.targets)


class Dataset(ABC):
    """Named splits of one task; saved and loaded as safetensors, so that workers need nothing else."""

    name: str
    task: Task
    splits: Mapping[str, Split]

    @abstractmethod
    def save(self, path: Path) -> str:
        """Write all tensors to one safetensors file; returns its SHA-256."""

    @classmethod
    @abstractmethod
    def load(cls, path: Path) -> "Dataset":
        """Read back what :meth:`save` wrote."""
