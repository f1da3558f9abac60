"""Ratings as numbers, NaN where there is none."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdfast.core.errors import BadData
from holdfast.data.reading import MISSING, shown

if TYPE_CHECKING:
    import pyarrow as pa

LIKED = 3.0  # the least rating of something liked, of five stars
STARS = 5.0  # at most
DISLIKES, LIKES = 0, 2  # classes; 1 is what was not taken


def parse_ratings(block: "pa.Array", where: str, before: int = 0) -> NDArray[np.float32]:
    """Ratings of a block of rows, before which there are ``before`` others.

    >>> import pyarrow as pa
    >>> parse_ratings(pa.array(["3", "4.5", ""]), "column 'stars'").tolist()
    [3.0, 4.5, nan]
    """
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_dictionary(block.type):
        block = block.dictionary_decode()
    if pa.types.is_string(block.type) or pa.types.is_large_string(block.type):
        text = compute.utf8_trim_whitespace(block)
        empty = compute.is_in(compute.utf8_lower(text), pa.array(MISSING, text.type))
        block = compute.if_else(empty, None, text)
    numbers = _cast(block)
    if numbers is None:
        row = next((row for row in range(len(block)) if _cast(block[row : row + 1]) is None), 0)
        raise BadData(
            f"{where}: the rating {shown(block[row])} in row {before + row + 1:,} is no number: expected "
            "numbers, such as stars from 1 to 5"
        )
    return numbers


def _cast(block: "pa.Array") -> NDArray[np.float32] | None:
    import pyarrow as pa

    try:
        values = block.cast(pa.float32(), safe=False)
    except pa.ArrowException:
        return None
    numbers: NDArray[np.float32] = values.to_numpy(zero_copy_only=False).astype(np.float32)
    return None if bool(np.isinf(numbers).any()) else numbers
