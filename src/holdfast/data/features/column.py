"""One column of a table: numbers or categories, and how its values become what models read."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev
from typing import Any

from holdfast.data.reading import shown
from holdfast.data.text.columns import is_missing, written

CATEGORIES = 50  # of a column; rarer ones are taken together
KEPT = 6  # digits of a code that is kept in single precision
FEW = 20  # different values, or fewer, are never taken for names
UNSEEN = -1.0  # a category that no training row has
ABSENT, OTHER = "(missing)", "(other)"
UNKNOWN = ("?", "-")  # what else is written where there is no value
IDS = ("id", "index", "row", "rowid", "row_id", "unnamed: 0", "")


@dataclass(frozen=True)
class Column:
    """A numeric column, or one of ``categories``, as its training rows have it.

    Numbers are moved by their mean and divided by their standard deviation, ``scale``; where one is missing
    it counts as the median, ``fill``. Categories are numbered; where a value is missing that is a category
    too, and rare ones are one.

    >>> age = Column("age", mean=40.0, scale=10.0, fill=35.0)
    >>> age.codes(["50", None]), age.told(1.0)
    ([1.0, -0.5], '50')
    >>> job = Column("job", categories=("clerk", "cook"))
    >>> job.codes(["cook", "smith"]), job.told(0.0)
    ([1.0, -1.0], 'clerk')
    """

    name: str
    mean: float = 0.0
    scale: float = 1.0
    fill: float = 0.0
    categories: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many categories there are; 1 of numbers."""
        return max(1, len(self.categories))

    def codes(self, values: Sequence[Any]) -> list[float]:
        """The values as models read them; text that is no number counts as missing in a column of numbers."""
        if not self.categories:
            numbers = [_number(value) for value in values]
            return [((self.fill if n is None else n) - self.mean) / self.scale for n in numbers]
        places = {name: float(place) for place, name in enumerate(self.categories)}
        other = places.get(OTHER, UNSEEN)
        return [places.get(category(value), other) for value in values]

    def told(self, code: float) -> str:
        """A value as a reader sees it: of the digits that a code keeps, those that say something.

        >>> Column("debt", 4000.0, 3000.0).told(3.0366668), Column("late", 0.4, 0.8).told(-0.49999998)
        ('13,110', '0')
        """
        if not self.categories:
            digits = KEPT - math.ceil(math.log10(max(abs(self.mean), self.scale)))
            return amount(round(self.mean + self.scale * code, digits) + 0.0)
        return self.categories[round(code)] if code >= 0 else "a category that is new"


def amount(value: float) -> str:
    """A number as a reader writes it: four digits, and whole ones never shortened.

    >>> amount(0.52341), amount(128934.2), amount(1e20)
    ('0.5234', '128,934', '1e+20')
    """
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e15 else f"{value:.4g}"


def column_of(name: str, values: Sequence[Any], train: Sequence[int]) -> Column | str:
    """The column as its training rows have it; or why it cannot be used, as "its values are …"."""
    known = [value for value in values if not lacks(value)]
    if not known:
        return "it has no values"
    if all(_number(value) is not None for value in known):
        return _numeric(name, values, train)
    if any(not isinstance(value, str | int | float) for value in known):
        return "its values are neither text nor numbers"
    return _categorical(name, values, known, train)


def category(value: Any) -> str:
    """What a value is called as a category."""
    return ABSENT if lacks(value) else written(value)


def lacks(value: Any) -> bool:
    """Whether there is no value.

    >>> lacks("?"), lacks(""), lacks(0)
    (True, True, False)
    """
    return is_missing(value) or (isinstance(value, str) and value.strip() in UNKNOWN)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or lacks(value):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _numeric(name: str, values: Sequence[Any], train: Sequence[int]) -> Column | str:
    numbers = [_number(values[row]) for row in train]
    there = [number for number in numbers if number is not None]
    if not there:
        return "no training row has a value"
    if name.strip().lower() in IDS and len(set(there)) == len(numbers) and all(map(float.is_integer, there)):
        return "it numbers the rows"
    fill = median(there)
    filled = [fill if number is None else number for number in numbers]
    scale = pstdev(filled)
    if not scale > 1e-12 * max(map(abs, filled)):
        return f"its values are all {fill:g}"
    return Column(name, fmean(filled), scale, fill)


def _categorical(
    name: str, values: Sequence[Any], known: Sequence[Any], train: Sequence[int]
) -> Column | str:
    different = len({written(value) for value in known})
    if different > max(FEW, len(known) / 2):
        return f"{different:,} of its {len(known):,} values are different, as names are"
    counts = Counter(category(values[row]) for row in train)
    if len(counts) == 1:
        return f"its values are all {shown(next(iter(counts)))}"
    kept = [value for value, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    some = kept if len(kept) <= CATEGORIES else kept[: CATEGORIES - 1]
    return Column(name, categories=(*sorted(some), *([OTHER] if some != kept else [])))
