"""A published number beside ours."""

import csv
from dataclasses import dataclass
from importlib.resources import files

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


def published_table(study: str, name: str) -> list[dict[str, str]]:
    """The lines of a document's table, as they were published; ``study`` is the package of the study."""
    path = files(study).joinpath("published", f"{name}.csv")
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
