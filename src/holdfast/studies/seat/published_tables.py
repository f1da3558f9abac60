"""Tables 1, 3 and 4 of the paper, cell by cell, as they were printed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from holdfast.core.errors import BadInput
from holdfast.study.published_number import published_table

STUDY = "holdfast.studies.seat"
TABLES = {
    "1": "seat_table_1_embedding_perturbation",
    "3": "seat_table_3_word_perturbation",
    "4": "seat_table_4_ablation",
}
Quantity = Literal["jsd", "tvd_sum", "f1", "sufficiency"]
QUANTITIES: tuple[Quantity, ...] = ("jsd", "tvd_sum", "f1", "sufficiency")
TERMS = {("no", "no"): "neither", ("yes", "no"): "stability", ("no", "yes"): "topk", ("yes", "yes"): "both"}
LOST = "?"  # where our copy of the paper has lost the first digit


@dataclass(frozen=True)
class Cell:
    """One printed number: of which table, data set (as the paper calls it), encoder and repair.

    ``jsd`` is the mean divergence of attention, ``tvd_sum`` the total variation of predictions **summed**
    over instances, as far as that can be told (up to 23; ours is a mean in [0, 1]), ``sufficiency`` that of
    Table 4, which the authors' released code measures wrongly. In Table 4 the repair is SEAT with one of its
    penalties, ``both`` or ``neither``.

    >>> Cell("1", "sst", "rnn", "seat", "jsd", "2.75E-07").value
    2.75e-07
    >>> Cell("3", "sst", "bert", "seat", "jsd", "?.55E-06").ends
    (1.55e-06, 9.55e-06)
    """

    table: str
    dataset: str
    encoder: str
    repair: str
    quantity: Quantity
    printed: str
    note: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"(\d|\?)\d*\.\d+(E-\d+)?", self.printed):
            where = f"Table {self.table}, {self.dataset} {self.encoder} {self.repair}"
            raise BadInput(
                f"{where}: expected {self.quantity} to be a number as printed, such as 0.663 or 7.02E-04, "
                f"but got '{self.printed}': mend the file"
            )

    @property
    def value(self) -> float | None:
        """The number; None where it cannot be read."""
        return None if LOST in self.printed else float(self.printed)

    @property
    def ends(self) -> tuple[float, float]:
        """Between which numbers it lies: twice the number, or the two that a lost digit may make."""
        low, high = (float(self.printed.replace(LOST, digit)) for digit in "19")
        return low, high


def cells() -> list[Cell]:
    """Every cell of the three tables, in the order of the paper."""
    return [cell for table in TABLES for cell in _cells(table)]


def _cells(table: str) -> Iterator[Cell]:
    for line in published_table(STUDY, TABLES[table]):
        repair = line.get("repair") or TERMS[line["stability_term"], line["topk_term"]]
        for quantity in QUANTITIES:
            if quantity in line:
                about = (table, line["dataset"], line["encoder"], repair)
                yield Cell(*about, quantity, line[quantity].strip(), line.get("note", ""))
