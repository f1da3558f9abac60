"""What the named sets of features share: a limit, and whether members draw their rows anew."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.core.settings import label
from holdfast.data.base import Kind
from holdfast.data.features.build import Choice, features_of
from holdfast.data.features.dataset import FeatureDataset
from holdfast.data.named_set import NamedSet
from holdfast.data.tables import Table


@dataclass(frozen=True)
class FeatureSet(NamedSet):
    """A table with the column ``label``; ``limit`` caps the training rows, with ``resample`` every member
    draws them anew."""

    modality: ClassVar[Kind] = "features"

    limit: int | None = None
    resample: bool = False

    @abstractmethod
    def table(self, files: Mapping[str, Path]) -> Table:
        """The table, with its labels in the column ``label``."""

    def corpus(self, files: Mapping[str, Path]) -> FeatureDataset:
        """Read the table."""
        choice = Choice("label", limit=self.limit, resample=self.resample)
        return features_of(self.table(files), label(self), choice)
