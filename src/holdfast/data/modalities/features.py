"""Tables of features: numbers and categories in columns, a class for each row."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from holdfast.data.base import Dataset
from holdfast.data.features.build import ALL, Choice, features_of
from holdfast.data.features.dataset import FeatureDataset
from holdfast.data.features.sets.base import FeatureSet
from holdfast.data.frame import Frame
from holdfast.data.heard import Heard, silent
from holdfast.data.modality import Modality, Options, bounded
from holdfast.data.named_set import NamedSet
from holdfast.data.tables import ENDINGS, Table, check_file, read_table


@dataclass(frozen=True)
class FeatureOptions(Options):
    """``label`` names the column of the classes, ``features`` those to learn from, joined by commas (``all``
    but the label); ``limit`` caps the training rows; with ``resample`` every member draws its own of them,
    with replacement. A few rows without a label are dropped, with ``strict`` refused."""

    label: str | None = None
    features: str | None = None
    resample: bool | None = None
    limit: int | None = None
    strict: bool = field(default=False, compare=False)


class Features(Modality[FeatureOptions]):
    """A table is one of features where one of its own options is given, or where its models read nothing
    else: nothing is told by what is in the columns."""

    options: ClassVar[type[Options]] = FeatureOptions
    called: ClassVar[str] = "a feature"
    many: ClassVar[str] = "features"
    dataset: ClassVar[type[Dataset]] = FeatureDataset
    endings: ClassVar[tuple[str, ...]] = ENDINGS
    columns: ClassVar[tuple[str, ...]] = ("label", "features")
    others: ClassVar[Mapping[str, str]] = {"resample": "draws the rows of a table of features anew"}

    def check(self, source: FeatureOptions) -> None:
        """A limit of two rows at least."""
        bounded("limit", source.limit, 2)

    def claims(self, source: FeatureOptions) -> bool:
        """Where features are named, or rows drawn anew."""
        return source.features is not None or source.resample is not None

    def complete(self, source: FeatureOptions) -> dict[str, Any]:
        """All columns are features unless some are named."""
        return {"features": source.features or ALL, "resample": source.resample or None}

    def assumed(self) -> dict[str, Any]:
        """All columns are features."""
        return {"features": ALL}

    def check_file(self, path: Path) -> None:
        """Refuse what is no table."""
        check_file(path)

    def read(
        self, path: Path, source: FeatureOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read the rows of a table."""
        return features_of(read_table(path), path.name.split(".")[0], _choice(source))

    def read_frame(
        self, frame: Frame, source: FeatureOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read the rows of a table in memory."""
        return features_of(Table(Path(source.data), frame.columns), source.data, _choice(source))

    def named(self, known: NamedSet, source: FeatureOptions) -> NamedSet:
        """The set with the source's limit, and its rows drawn anew where the source says so."""
        assert isinstance(known, FeatureSet)
        limit = known.limit if source.limit is None else source.limit
        return replace(known, limit=limit, resample=known.resample or bool(source.resample))

    def load(
        self, known: NamedSet, source: FeatureOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read the table."""
        assert isinstance(known, FeatureSet)
        return known.corpus(known.locate(data_dir))


def _choice(source: FeatureOptions) -> Choice:
    resample = bool(source.resample)
    return Choice(source.label, source.features, source.limit, resample, source.strict)
