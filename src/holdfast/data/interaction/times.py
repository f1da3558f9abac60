"""Times as numbers that can be ordered: whole ones, others, and ISO dates."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.core.errors import BadData
from holdfast.data.reading import MISSING, shown

if TYPE_CHECKING:
    import pyarrow as pa

EXPECTED = "expected numbers or ISO dates such as 2001-12-31 or 2001-12-31T23:59:59, all alike"


class Times(NamedTuple):
    """Times of some rows; ``kind`` is ``number``, ``date``, or ``date with a zone``."""

    kind: str
    values: NDArray[np.int64] | NDArray[np.float64]


def parse_times(block: "pa.Array", where: str, before: int = 0) -> Times:
    """Times of a block of rows, before which there are ``before`` others.

    >>> import pyarrow as pa
    >>> parse_times(pa.array(["3", "1.5"]), "column 'time'").values.tolist()
    [3.0, 1.5]
    """
    import pyarrow as pa

    kinds = {"number": (pa.int64(), pa.float64()), "date": (pa.timestamp("us"),)}
    kinds |= {"date with a zone": (pa.timestamp("us", "UTC"),)}
    text = _trimmed(block) if _is_text(block.type) else block
    for kind, types in kinds.items():
        for wanted in types:
            values = _cast(text, wanted)
            if values is not None:
                return Times(kind, values)
    row, value = _first_bad(text)
    raise BadData(f"{where}: the time {shown(value)} in row {before + row + 1:,} cannot be read: {EXPECTED}")


def without_gaps(block: "pa.Array") -> "tuple[pa.Array, NDArray[np.bool_]]":
    """Times with the first of them in place of those that are missing, and which are; as they are where none
    is, or every one.

    >>> import pyarrow as pa
    >>> filled, missing = without_gaps(pa.array(["", "7", "NaN"]))
    >>> filled.to_pylist(), missing.tolist()
    (['7', '7', '7'], [True, False, True])
    """
    import pyarrow as pa
    from pyarrow import compute

    missing = compute.is_null(block, nan_is_null=True)
    if _is_text(block.type):
        written = compute.utf8_lower(_trimmed(block))
        missing = compute.or_(missing, compute.is_in(written, pa.array(MISSING, block.type)))
    gaps: NDArray[np.bool_] = missing.to_numpy(zero_copy_only=False)
    if not gaps.any() or gaps.all():
        return block, np.zeros(len(block), bool)
    return compute.if_else(missing, block[int(gaps.argmin())], block), gaps


def joined(blocks: list[Times], where: str) -> NDArray[np.int64] | NDArray[np.float64]:
    """All blocks of a column as one array; they must be of one kind."""
    row = 0
    for block in blocks:
        if block.kind != blocks[0].kind:
            raise BadData(
                f"{where}: times are a {blocks[0].kind} in row 1 and a {block.kind} in row {row + 1:,}: "
                f"{EXPECTED}"
            )
        row += len(block.values)
    return np.concatenate([block.values for block in blocks])


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _trimmed(block: "pa.Array") -> "pa.Array":
    from pyarrow import compute

    return compute.utf8_trim_whitespace(block)


def _cast(block: "pa.Array", wanted: "pa.DataType") -> NDArray[np.int64] | NDArray[np.float64] | None:
    """The block as numbers, or None where it is not of this kind, or not all of it."""
    import pyarrow as pa

    number, date = not pa.types.is_temporal(wanted), pa.types.is_temporal(block.type)
    if block.null_count or (not _is_text(block.type) and number == date):
        return None
    fine = pa.types.is_timestamp(block.type) and block.type.unit == "ns"  # cut to microseconds
    try:
        values = block.cast(wanted, safe=not fine)
    except pa.ArrowException:
        return None
    numbers: NDArray[np.float64] = (values if number else values.cast(pa.int64())).to_numpy(
        zero_copy_only=False
    )
    return numbers if bool(np.isfinite(numbers).all()) else None


def _first_bad(block: "pa.Array") -> tuple[int, object]:
    """The first row that is of none of the kinds that the first row can be, with its value."""
    import pyarrow as pa

    number, date, zone = pa.float64(), pa.timestamp("us"), pa.timestamp("us", "UTC")
    first = [kind for kind in (number, date, zone) if _cast(block[:1], kind) is not None]
    for row in range(len(block)):
        if not any(_cast(block[row : row + 1], kind) is not None for kind in first):
            return row, _value(block[row])
    return 0, _value(block[0])


def _value(scalar: "pa.Scalar") -> object:
    try:
        return scalar.as_py()
    except (ValueError, OverflowError):  # a date of which Python knows nothing
        return f"a {scalar.type} out of range"
