"""Scikit-learn's breast cancer data: always there, nothing to download."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from holdfast.data.features.sets.base import FeatureSet
from holdfast.data.tables import Table


@dataclass(frozen=True)
class BreastCancer(FeatureSet):
    """569 tumours, 30 numbers of the cell nuclei of each (Wolberg, Street and Mangasarian 1995)."""

    name: ClassVar[str] = "breast-cancer"
    about: ClassVar[str] = "30 numbers of cell nuclei, malignant or benign: 399 / 57 / 113"
    comes: ClassVar[str] = "it comes with scikit-learn"

    def table(self, files: Mapping[str, Path]) -> Table:
        """The table; ``files`` is empty."""
        return _table()


@cache
def _table() -> Table:
    from sklearn.datasets import load_breast_cancer

    read = load_breast_cancer()
    columns = dict(zip(map(str, read.feature_names), read.data.T.tolist(), strict=True))
    return Table(Path("breast-cancer"), columns | {"label": [str(read.target_names[t]) for t in read.target]})
