"""Rows of a file of interactions, taken in block by block: numbers, and the names behind them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from holdfast.core.errors import BadData
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.ratings import parse_ratings
from holdfast.data.interaction.times import Times, joined, parse_times, without_gaps
from holdfast.data.missing import drop
from holdfast.data.names import Names
from holdfast.data.reading import MISSING, shown

if TYPE_CHECKING:
    import pyarrow as pa

NOBODY = (*MISSING, "none", "<na>")  # as Python and pandas write it


@dataclass
class InteractionBlocks:
    """What was read so far: numbers, and the names behind them block by block. Ratings whose column is only
    a guess (``guessed``) are left out where they are no numbers."""

    path: Path
    wanted: dict[str, str]
    strict: bool = False
    guessed: bool = False
    names: "dict[str, list[pa.DictionaryArray]]" = field(default_factory=dict)
    times: list[Times] = field(default_factory=list)
    untimed: list[NDArray[np.bool_]] = field(default_factory=list)
    ratings: list[NDArray[np.float32]] = field(default_factory=list)
    unrated: str = ""
    rows: int = 0

    def add(self, block: "pa.RecordBatch") -> None:
        """Take in some rows."""
        if not len(block):
            return
        for role, name in self.wanted.items():
            column = block.column(name)
            if role == "time":
                column, gaps = without_gaps(column)
                self.times.append(parse_times(column, self._where(name), self.rows))
                self.untimed.append(gaps)
            elif role == "rating":
                self._rate(column, name)
            else:
                self.names.setdefault(role, []).append(_encoded(column, self._where(name), self.rows))
        self.rows += len(block)

    def interactions(self) -> tuple[Interactions, list[str]]:
        """Everything as numbers, and a note on the rows without a user, an item or a time, which are
        dropped."""
        if not self.rows:
            raise BadData(
                f"{self.path} has no rows: expected a table with a column of users and one of items"
            )
        time = joined(self.times, self._where(self.wanted["time"])) if "time" in self.wanted else None
        self.times.clear()
        (user, users, nobody), (item, items, nothing) = self._numbered("user"), self._numbered("item")
        known = {
            role: self._known(role, item, len(items)) for role in ("title", "genres") if role in self.wanted
        }
        never = np.concatenate(self.untimed) if self.untimed else np.zeros(self.rows, bool)
        lacking = {"user": nobody, "item": nothing & ~nobody, "time": never & ~nothing & ~nobody}
        places = {what: (rows.nonzero()[0] + 1).tolist() for what, rows in lacking.items()}
        notes = drop(self.path, self.rows, places, self.strict)
        rating, told = self._rating()
        interactions = Interactions(
            user, item, time, users, items, known.get("title"), known.get("genres"), rating
        )
        kept = interactions.keep(~(nobody | nothing | never)) if notes else interactions
        return kept, [*notes, *told]

    def _rate(self, column: "pa.Array", name: str) -> None:
        if self.unrated:
            return
        try:
            self.ratings.append(parse_ratings(column, self._where(name), self.rows))
        except BadData:
            if not self.guessed:
                raise
            self.unrated = f"Column {shown(name)} holds no numbers, and is not taken for ratings."

    def _rating(self) -> tuple[NDArray[np.float32] | None, list[str]]:
        """All ratings, where there are any, and what a reader must know of them."""
        if self.unrated or not self.ratings:
            return None, [self.unrated] if self.unrated else []
        rating = np.concatenate(self.ratings)
        missing = int(np.isnan(rating).sum())
        if missing == len(rating):
            return None, []
        said = f"{missing:,} of {len(rating):,} interactions have no rating: they count as any other."
        return rating, [said] if missing else []

    def _numbered(self, role: str) -> tuple[NDArray[np.int32], Names, NDArray[np.bool_]]:
        """The number of each row, the names behind the numbers, and which rows have none."""
        codes, names = self._unified(role)
        return codes, Names.of_arrow(names), np.isin(codes, _nobody(names))

    def _known(self, role: str, item: NDArray[np.int32], count: int) -> Names:
        """What the first row of each item says of it."""
        codes, names = self._unified(role)
        first = np.full(count, len(item))
        np.minimum.at(first, item, np.arange(len(item)))
        return Names.of_arrow(names).take(torch.from_numpy(codes[first].astype(np.int64)))

    def _unified(self, role: str) -> "tuple[NDArray[np.int32], pa.Array]":
        import pyarrow as pa

        whole = pa.chunked_array(self.names.pop(role)).unify_dictionaries()
        codes = np.concatenate([chunk.indices.to_numpy(zero_copy_only=False) for chunk in whole.chunks])
        return codes, whole.chunk(0).dictionary

    def _where(self, name: str) -> str:
        return f"{self.path}, column {shown(name)}"


def _encoded(column: "pa.Array", where: str, before: int) -> "pa.DictionaryArray":
    """Names as they are written, each once, and numbers; whole numbers are written without a point."""
    import pyarrow as pa
    from pyarrow import compute

    wanted = pa.dictionary(pa.int32(), pa.string())
    if column.type == wanted and not column.null_count:
        _check_text(column.dictionary, where)
        return column
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):
        column = compute.if_else(compute.is_nan(column), None, column)
        odd = compute.not_equal(column, compute.floor(column)).fill_null(False)
        if compute.any(odd).as_py():
            row = int(compute.index(odd, True).as_py())
            raise BadData(
                f"{where}: expected whole numbers or names, but got {shown(column[row])} "
                f"in row {before + row + 1:,}"
            )
        column = column.cast(pa.int64())
    if pa.types.is_nested(column.type) or pa.types.is_null(column.type) or pa.types.is_binary(column.type):
        raise BadData(f"{where}: expected whole numbers or names, but its values are of type {column.type}")
    encoded = column.dictionary_encode(null_encoding="encode")
    names = encoded.dictionary.cast(pa.string()).fill_null("")
    _check_text(names, where)
    return pa.DictionaryArray.from_arrays(encoded.indices.cast(pa.int32()), names)


def _check_text(names: "pa.Array", where: str) -> None:
    import pyarrow as pa

    try:
        names.validate(full=True)
    except pa.ArrowInvalid as error:
        raise BadData(
            f"{where}: expected names in UTF-8, but got bytes that are not ({shown(error, 120)[1:-1]}): "
            "save them as UTF-8"
        ) from error


def _nobody(names: "pa.Array") -> NDArray[np.int64]:
    """Where names are missing."""
    import pyarrow as pa
    from pyarrow import compute

    plain = compute.utf8_lower(compute.utf8_trim_whitespace(names))
    missing: NDArray[np.bool_] = compute.is_in(plain, pa.array(NOBODY)).to_numpy(zero_copy_only=False)
    return missing.nonzero()[0]
