"""The tidy table of a study: one row per number, with its interval."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.core.files import write
from holdfast.measure.reduce import Interval
from holdfast.study.ranges import range_of


class FamilyKey(NamedTuple):
    """Which family a number is of: data, model and repair as they are written."""

    data: str
    model: str
    repair: str


class QuantityKey(NamedTuple):
    """Which number it is, of whichever family: quantity, explainer, comparison, and the second of a pair."""

    quantity: str
    explainer: str = ""
    other_explainer: str = ""
    comparison: str = ""
    other_model: str = ""
    other_repair: str = ""
    probe: str = ""


class PartKey(NamedTuple):
    """Which part of the whole it is of: how that is split, then which member, class, sentence and bin."""

    by: str = "all"
    member: str = ""
    other_member: str = ""
    label: str = ""
    sentence: str = ""
    bin: str = ""


@dataclass(frozen=True)
class Measurement:
    """One number.

    ``quantity`` says what was measured: ``hold``, ``stability``, ``agreement``, ``truth``, ``accuracy`` …
    Of a pair, ``other_explainer``, ``other_model`` or ``other_repair`` is the second; ``probe`` changed the
    inputs.

    ``by`` says how the whole is split (``all``: not at all). Which part it is stands in ``member`` (a seed,
    or ``fold 2``; by ``without`` all members but this one), ``other_member`` (the second of a pair),
    ``label`` (the class of the examples), ``sentence`` (one of those that a figure shows) and ``bin`` (which
    slice of the examples, ``by="confidence", bin="0.4"``, or of another axis: a step, an epoch, a layer);
    empty is all of them. ``at`` is the part's place on an axis.

    An interval ends where the range of its quantity does:

    >>> Measurement("sst2", "cnn", "none", "accuracy", 0.9, 0.7, 1.1, 3).high
    1.0
    """

    data: str
    model: str
    repair: str
    quantity: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    explainer: str = ""
    comparison: str = ""
    probe: str = ""
    other_explainer: str = ""
    other_model: str = ""
    other_repair: str = ""
    by: str = "all"
    member: str = ""
    other_member: str = ""
    label: str = ""
    sentence: str = ""
    bin: str = ""
    at: float | None = None

    def __post_init__(self) -> None:
        kept = self.interval.within(*range_of(self.quantity, self.comparison, self.by))
        object.__setattr__(self, "low", kept.low)
        object.__setattr__(self, "high", kept.high)

    @property
    def family(self) -> FamilyKey:
        """Which family it is of."""
        return FamilyKey(self.data, self.model, self.repair)

    @property
    def what(self) -> QuantityKey:
        """Which number it is."""
        return QuantityKey(*(getattr(self, name) for name in QuantityKey._fields))

    @property
    def part(self) -> PartKey:
        """Which part of the whole it is of."""
        return PartKey(*(getattr(self, name) for name in PartKey._fields))

    @property
    def interval(self) -> Interval:
        """The value with its interval."""
        return Interval(self.value, self.low, self.high, self.n)


def write_measurements(path: Path, rows: list[Measurement]) -> str:
    """Write the table as Parquet with page checksums; the same bytes for the same rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {f.name: [getattr(row, f.name) for row in rows] for f in fields(Measurement)}
    kinds = {"float": pa.float64(), "float | None": pa.float64(), "int": pa.int64(), "str": pa.string()}
    schema = pa.schema(
        [(f.name, kinds[getattr(f.type, "__name__", str(f.type))]) for f in fields(Measurement)]
    )
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns, schema=schema), sink, write_page_checksum=True)
    return write(path, sink.getvalue().to_pybytes())


def read_measurements(path: Path) -> list[Measurement]:
    """Read back what :func:`write_measurements` wrote."""
    import pyarrow.parquet as pq

    table: list[dict[str, Any]] = pq.read_table(path, page_checksum_verification=True).to_pylist()
    return [Measurement(**row) for row in table]
