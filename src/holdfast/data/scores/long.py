"""Scores in a Parquet file in long form: a row for each member, example and position."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.core.errors import BadData
from holdfast.data.parquet_file import open_parquet
from holdfast.data.reading import listed, shown

if TYPE_CHECKING:
    import pyarrow as pa

KEYS = ("member", "example", "position", "score")
OTHERS = ("explainer", "token", "label", "target", "untrained")
ODDS = "probability"
ONLY = "scores"
Codes = NDArray[np.int64]


class Column(NamedTuple):
    """Every row's value, by its number in ``values``, which stand in the order in which they first come."""

    codes: Codes
    values: list[Any]


def read_long(path: Path) -> dict[str, Any]:
    """What a file gives, as :func:`bring` takes it.

    Columns ``member``, ``example``, ``position`` and ``score``; also ``explainer``, ``token`` of the
    position, ``label`` and ``target`` of the example, ``untrained`` (True: the member is a network that never
    trained), and of the member and example ``probability``, that of the second of two classes, or
    ``probability:NAME`` of every class. Other columns are not read.
    """
    with open_parquet(path) as file:
        names = list(file.schema_arrow.names)
        for name in KEYS:
            if name not in names:
                raise BadData(f"{path} has no column {shown(name)}: expected {listed(KEYS)}")
        odds = [name for name in names if name == ODDS or name.startswith(f"{ODDS}:")]
        table = file.read(columns=[name for name in (*KEYS, *OTHERS, *odds) if name in names])
    if not table.num_rows:
        raise BadData(f"{path} has no rows: expected one for each member, example and position")
    return _Long(path, table, odds).given()


class _Long:
    """A table in long form; whatever does not fit together is one clear sentence."""

    def __init__(self, path: Path, table: "pa.Table", odds: list[str]) -> None:
        self.path, self.table, self.odds = path, table, odds
        self.example, self.members = self._column("example"), self._column("member")
        self.explainers = self._column("explainer") if self._has("explainer") else None
        positions, codes = np.unique(self._numbers("position"), return_inverse=True)
        cells, self.cell = np.unique(self.example.codes * len(positions) + codes, return_inverse=True)
        owner = cells // len(positions)  # the example of each cell, in ascending order
        counts = np.bincount(owner, minlength=len(self.example.values))
        self.places = owner, np.arange(len(cells)) - np.repeat(counts.cumsum() - counts, counts)
        self.mask = np.arange(counts.max()) < counts[:, None]

    def given(self) -> dict[str, Any]:
        """Everything that it gives."""
        fresh = self._numbers("untrained").astype(bool) if self._has("untrained") else np.zeros(1, dtype=bool)
        fresh = np.broadcast_to(fresh, len(self.cell))
        given: dict[str, Any] = {"mask": self.mask, "scores": self._scores(~fresh)}
        if fresh.any():
            given["untrained"] = self._scores(fresh)
        seeds = [self.members.values[own] for own in self._own(~fresh)]
        if all(isinstance(own, int) and own >= 0 for own in seeds):
            given["seeds"] = seeds
        if self._has("token"):
            tokens = self._of("token", self.cell, len(self.places[0]), "position of an example")
            given["tokens"] = [[tokens[own] for own in row] for row in self._rows()]
        for name, field in (("label", "labels"), ("target", "target")):
            if self._has(name):
                given[field] = self._of(name, self.example.codes, len(self.mask), "example")
        return given | (self._probabilities(~fresh) if self.odds else {})

    def _scores(self, chosen: NDArray[np.bool_]) -> Any:
        """The scores in these rows: a table, or of several explainers one of each by its name."""
        score, explainers = self._numbers("score"), self.explainers
        if explainers is None:
            return self._table(score, chosen, "")
        own = {name: chosen & (explainers.codes == code) for code, name in enumerate(explainers.values)}
        return {str(name): self._table(score, rows, str(name)) for name, rows in own.items() if rows.any()}

    def _table(self, score: NDArray[Any], rows: NDArray[np.bool_], explainer: str) -> NDArray[Any]:
        members, cells = self._own(rows), len(self.places[0])
        rank = np.zeros(len(self.members.values), dtype=np.int64)
        rank[members] = np.arange(len(members))
        flat = rank[self.members.codes[rows]] * cells + self.cell[rows]
        count = np.bincount(flat, minlength=len(members) * cells)
        if (count != 1).any():
            wrong = int((count != 1).argmax())
            member, cell = self.members.values[members[wrong // cells]], wrong % cells
            example, place = self.example.values[self.places[0][cell]], self.places[1][cell]
            of = f" by {explainer}" if explainer else ""
            raise BadData(
                f"{self.path}: expected one score{of} of member {shown(member)} for example {shown(example)} "
                f"at its position number {place}, counted from 0, but there are {count[wrong]}"
            )
        values = np.zeros(count.shape, dtype=score.dtype)
        values[flat] = score[rows]
        table = np.zeros((len(members), *self.mask.shape), dtype=score.dtype)
        table[:, self.places[0], self.places[1]] = values.reshape(len(members), cells)
        return table

    def _own(self, rows: NDArray[np.bool_]) -> list[int]:
        """The members of these rows, by their numbers where all have some, else as they first come."""
        codes, values = np.unique(self.members.codes[rows]).tolist(), self.members.values
        numbered = all(isinstance(values[code], int) for code in codes)
        return sorted(codes, key=lambda code: values[code]) if numbered else codes

    def _rows(self) -> list[list[int]]:
        """The cells of each example."""
        counts = self.mask.sum(1)
        return [part.tolist() for part in np.split(np.arange(counts.sum()), counts.cumsum()[:-1])]

    def _probabilities(self, chosen: NDArray[np.bool_]) -> dict[str, Any]:
        members, examples = self._own(chosen), len(self.mask)
        group = self.members.codes * examples + self.example.codes
        size, each = len(self.members.values) * examples, []
        for name in self.odds:
            values = np.full(size, np.nan)
            values[group[chosen]] = self._numbers(name)[chosen]
            self._same(name, values[group[chosen]] == self._numbers(name)[chosen], "member and example")
            each.append(values.reshape(-1, examples)[members])
        names = [name.partition(":")[2] for name in self.odds]
        if names == [""]:
            return {"probabilities": each[0]}
        if "" in names:
            raise BadData(f"{self.path} has a column 'probability' and others by class: leave one kind out")
        return {"probabilities": np.stack(each, -1), "classes": names}

    def _of(self, name: str, group: Codes, size: int, what: str) -> list[Any]:
        """The one value of each group."""
        column = self._column(name)
        codes = np.zeros(size, dtype=np.int64)
        codes[group] = column.codes
        self._same(name, codes[group] == column.codes, what)
        return [column.values[code] for code in codes.tolist()]

    def _same(self, name: str, same: NDArray[np.bool_], what: str) -> None:
        if not same.all():
            raise BadData(f"{self.path}: expected one {name} for each {what}, but some have several")

    def _has(self, name: str) -> bool:
        return name in self.table.column_names

    def _column(self, name: str) -> Column:
        import pyarrow as pa

        own = self._whole(name)
        if pa.types.is_dictionary(own.type):
            own = own.cast(own.type.value_type)
        coded = own.dictionary_encode()
        return Column(coded.indices.to_numpy().astype(np.int64), coded.dictionary.to_pylist())

    def _numbers(self, name: str) -> NDArray[Any]:
        values = self._whole(name).to_numpy(zero_copy_only=False)
        if values.dtype.kind not in "fiub":
            raise BadData(f"{self.path}: expected numbers in column {shown(name)}, but got {values.dtype}")
        return values  # type: ignore[no-any-return]

    def _whole(self, name: str) -> Any:
        import pyarrow as pa

        own = self.table.column(name)
        if own.null_count:
            raise BadData(f"{self.path}: column {shown(name)} lacks {own.null_count:,} values: fill them in")
        return pa.concat_arrays(own.chunks)
