"""A file of scores, by its ending."""

from pathlib import Path

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.scores.brought import Brought
from holdfast.data.scores.given import bring
from holdfast.data.scores.long import read_long
from holdfast.data.scores.npz import read_npz

READERS = {".npz": read_npz, ".parquet": read_long}


def read_scores(path: Path) -> Brought:
    """The scores in a ``.npz`` or a ``.parquet`` file, and what is known beside them."""
    if path.suffix not in READERS:
        raise BadData(f"expected scores in a .npz or a .parquet file, but got '{path}'")
    given = READERS[path.suffix](path)
    try:
        return bring(**given, name=path.name)
    except BadSetting as error:
        raise BadData(f"{path}: {error}") from error
