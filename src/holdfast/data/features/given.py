"""New rows for a data set of features, from a file."""

from pathlib import Path

from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.features.dataset import FeatureDataset
from holdfast.data.reading import listed
from holdfast.data.tables import read_table


def read_row(path: Path, dataset: FeatureDataset, row: int) -> Float[Tensor, "T"]:
    """One row of a table, from 0, as models read it; the table has the columns of the data set, and may have
    others."""
    table = read_table(path)
    missing = [column.name for column in dataset.columns if column.name not in table.columns]
    if missing:
        raise BadData(
            f"{path} has no column {listed(missing)}, which the models read: "
            f"its columns are {listed(table.names)}"
        )
    if not 0 <= row < len(table):
        raise BadSetting(f"{path}: expected --row from 0 to {len(table) - 1}, but got {row}")
    return dataset.read({column.name: [table.columns[column.name][row]] for column in dataset.columns})[0]
