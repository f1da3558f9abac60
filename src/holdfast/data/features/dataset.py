"""Rows of a table with a class each: what a classifier of features learns from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import generator
from holdfast.core.files import write_tensors
from holdfast.core.records import Batch, Member
from holdfast.data.base import SPLITS, Dataset, Split, Task
from holdfast.data.features.column import Column
from holdfast.data.features.columns import Columns
from holdfast.data.saved import pack, saved

FORMAT = 1
KIND = "features"


@dataclass(frozen=True, eq=False)
class FeatureSplit(Split):
    """Rows of one split: ``values`` are numbers of mean 0 and categories by number. With ``resample`` every
    member trains on as many rows, drawn anew with replacement (Efron 1979).

    >>> split = FeatureSplit(torch.zeros(4, 2), torch.tensor([0, 1, 0, 1]), resample=True)
    >>> split.trains(Member(0)), split.trains(Member(1))
    (tensor([1, 3, 3, 0]), tensor([2, 0, 0, 1]))
    """

    values: Float[Tensor, "N T"]
    classes: Int[Tensor, "N"]
    resample: bool = False

    @property
    def padded(self) -> bool:
        """All rows have the same columns."""
        return False

    @cached_property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many columns each row has: always the same."""
        return torch.full((len(self.classes),), self.values.shape[1])

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """The class of each row."""
        return self.classes

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """The rows; beyond the last column there are only holes."""
        columns = self.values.shape[1]
        if length is not None and length < columns:
            raise ValueError(f"expected a length of at least {columns}, but got {length}")
        more = 0 if length is None else length - columns
        mask = torch.arange(columns + more).expand(len(rows), -1) < columns
        inputs = F.pad(self.values[rows], (0, more))
        return Batch(inputs, mask, self.classes[rows], torch.ones(len(rows)), rows)

    def trains(self, member: Member) -> Int[Tensor, "n"] | None:
        """A draw of the member's own, where rows are drawn anew."""
        if not self.resample:
            return None
        count = len(self.classes)
        return torch.randint(count, (count,), generator=generator(member, "bootstrap"))


@dataclass(frozen=True, eq=False)
class FeatureDataset(Dataset):
    """Train, validation and test rows, and what the columns are called and mean."""

    name: str
    task: Task
    splits: Mapping[str, FeatureSplit]
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        classes: tuple[str, ...],
        columns: tuple[Column, ...],
        splits: Mapping[str, FeatureSplit],
        background: Float[Tensor, "R T"],
        notes: tuple[str, ...] = (),
    ) -> "FeatureDataset":
        """The data set of these columns and splits."""
        known = Columns(tuple(one.size for one in columns), _shares(columns, splits["train"]), background)
        return cls(name, Task(0, classes, columns=known), splits, columns, notes)

    def told(self, values: Float[Tensor, "T"]) -> tuple[str, ...]:
        """Each column of a row with its value, as a reader sees it."""
        pairs = zip(self.columns, values.tolist(), strict=True)
        return tuple(f"{column.name} = {column.told(value)}" for column, value in pairs)

    def read(self, table: Mapping[str, Sequence[Any]]) -> Float[Tensor, "B T"]:
        """New rows, given by column, as models read them."""
        return torch.tensor([one.codes(table[one.name]) for one in self.columns]).T.contiguous()

    def numbers(self, batch: Batch) -> Bool[Tensor, "B T"]:
        """The columns without categories."""
        return batch.mask & torch.tensor([not column.categories for column in self.columns])

    def save(self, path: Path) -> str:
        """Write everything to one safetensors file; returns its SHA-256."""
        about = {
            "kind": KIND,
            "format": FORMAT,
            "name": self.name,
            "classes": self.task.classes,
            "notes": self.notes,
            "columns": [asdict(column) for column in self.columns],
            "resample": self.splits["train"].resample,
        }
        assert self.task.columns is not None, "expected a task of columns"
        tensors = {"about": pack(json.dumps(about)), "background": self.task.columns.background.clone()}
        for name, split in self.splits.items():
            tensors |= {f"{name}.values": split.values, f"{name}.classes": split.classes}
        return write_tensors(path, tensors)

    @classmethod
    def load(cls, path: Path) -> "FeatureDataset":
        """Read back what :meth:`save` wrote."""
        with saved(path, FORMAT) as (about, tensors):
            columns = tuple(
                Column(**(one | {"categories": tuple(one["categories"])})) for one in about["columns"]
            )
            splits = {
                name: FeatureSplit(
                    tensors[f"{name}.values"],
                    tensors[f"{name}.classes"],
                    about["resample"] and name == "train",
                )
                for name in SPLITS
            }
            about_it = about["name"], tuple(about["classes"]), columns, splits, tensors["background"]
            return cls.of(*about_it, tuple(about["notes"]))


def _shares(columns: Sequence[Column], train: FeatureSplit) -> Float[Tensor, "T D"]:
    """How often each category is among the training rows."""
    shares = torch.zeros(len(columns), max(column.size for column in columns))
    for place, column in enumerate(columns):
        if column.categories:
            codes = train.values[:, place].long()
            counts = codes[codes >= 0].bincount(minlength=column.size)
            shares[place, : column.size] = counts / len(codes)
    return shares
