"""Small tables: numbers and categories, two classes or three."""

import numpy as np
import torch

from holdfast.core.draws import seed_of
from holdfast.core.records import Member
from holdfast.data.base import SPLITS, Task
from holdfast.data.features.column import Column
from holdfast.data.features.dataset import FeatureDataset, FeatureSplit

SIZES = (1, 3, 1, 2, 1)


def values(rows: int, sizes: tuple[int, ...] = SIZES, seed: int = 0) -> torch.Tensor:
    draw = torch.Generator().manual_seed(seed)
    columns = [
        torch.randn(rows, generator=draw)
        if size == 1
        else torch.randint(size, (rows,), generator=draw).float()
        for size in sizes
    ]
    return torch.stack(columns, 1)


def labelled(table: torch.Tensor, classes: int) -> torch.Tensor:
    """Classes that follow from the first three columns."""
    score = table[:, 0] + (table[:, 1] - 1.0) * table[:, 2]
    return (score > 0).long() if classes == 2 else (score > -0.5).long() + (score > 0.7).long()


def table(
    classes: int = 2, rows: int = 300, sizes: tuple[int, ...] = SIZES, resample: bool = False
) -> FeatureDataset:
    """A data set of random rows."""
    columns = tuple(
        Column(f"column {place}", categories=tuple("abcdefgh"[:size]) if size > 1 else ())
        for place, size in enumerate(sizes)
    )
    splits: dict[str, FeatureSplit] = {}
    mean = spread = torch.zeros(len(sizes))
    for place, name in enumerate(SPLITS):
        own = values(rows if name == "train" else 60, sizes, seed=place)
        mean, spread = (own.mean(0), own.std(0)) if name == "train" else (mean, spread)
        numeric = torch.tensor(sizes) == 1
        own = torch.where(numeric, (own - mean) / spread, own)
        splits[name] = FeatureSplit(own, labelled(own, classes), resample and name == "train")
    names = ("no", "yes", "perhaps")[:classes]
    return FeatureDataset.of("toys", names, columns, splits, splits["train"].values[:8])


def task(classes: int = 2, sizes: tuple[int, ...] = SIZES) -> Task:
    """Its task."""
    return table(classes, sizes=sizes).task


def numbers(data: FeatureDataset, split: str) -> np.ndarray:
    """The rows as scikit-learn is given them: numbers, and for each category 1 or 0, less its share."""
    values, train = (data.splits[name].values.double().numpy() for name in (split, "train"))
    parts = []
    for place, column in enumerate(data.columns):
        if not column.categories:
            parts.append(values[:, place])
        for code in range(len(column.categories)):
            parts.append((values[:, place] == code) - (train[:, place] == code).mean())
    return np.stack(parts, 1).astype(np.float32)


def first_seed() -> int:
    """What seed 0 is to scikit-learn."""
    return seed_of(Member(0), "fit") % 2**32
