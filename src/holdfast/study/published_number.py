"""A published number beside ours."""

import csv
import re
from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from holdfast.measure.reduce import Interval

NOT_RUN, NOT_HAD = "not run", "cannot be had"


@dataclass(frozen=True)
class Published:
    """One published number beside ours; ``note`` says why there is none of ours.

    >>> Published("4.2", "IMDB cnn none", "sd", 0.79, None, None, None, 0).note
    'not run'
    """

    table: str
    row: str
    column: str
    published: float
    measured: float | None  # None: not run
    low: float | None
    high: float | None
    n: int
    note: str = ""

    def __post_init__(self) -> None:
        if self.measured is None and not self.note:
            object.__setattr__(self, "note", NOT_RUN)

    @classmethod
    def beside(
        cls,
        table: str,
        row: str,
        column: str,
        published: float,
        ours: Interval | None,
        scale: float = 1.0,
        note: str = "",
    ) -> "Published":
        """A published number with ours; ``scale`` is 100 where the document has percent and we have shares.

        >>> Published.beside("3.2", "SASRec", "recall", 81.0, Interval(0.8, None, None, 3), 100).measured
        80.0
        """
        if ours is None:
            return cls(table, row, column, published, None, None, None, 0, note)
        value, low, high = (None if x is None else scale * x for x in (ours.value, ours.low, ours.high))
        return cls(table, row, column, published, value, low, high, ours.n)


def published_table(study: str, name: str) -> list[dict[str, str]]:
    """The lines of a document's table, as they were published; ``study`` is the package of the study."""
    return _lines(files(study).joinpath("published", f"{name}.csv").read_text(encoding="utf-8"))


def published_numbers(folder: Path, described: Collection[str] = ()) -> list[tuple[str, str, float]]:
    """Every number of the tables in a folder, with file and column; the columns ``described`` say what a row
    is about. Two numbers of a cell (``0.97 ± 0.04``, ``12500 / 12500``) are two."""
    return [
        (path.name, column, number)
        for path in sorted(folder.glob("*.csv"))
        for line in _lines(path.read_text(encoding="utf-8"))
        for column in [column for column in line if column not in described]
        for part in re.split("[±/]", line[column])
        if (number := _number(part)) is not None
    ]


def _lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def _number(text: str) -> float | None:
    """``6,040`` and ``4.845%`` are numbers, names and words are not."""
    try:
        return float(text.strip().removesuffix("%").replace(",", ""))
    except ValueError:
        return None
