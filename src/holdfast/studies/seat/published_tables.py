"""Tables 1, 3 and 4 of the paper, cell by cell, as they were printed; and ours beside them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from holdfast.core.errors import BadInput
from holdfast.core.settings import split_label
from holdfast.measure.reduce import Interval
from holdfast.studies.seat.measures import F1
from holdfast.studies.seat.numbers import SCORE, SUFFICIENT, compared, jsd, tvd, under, word_probe
from holdfast.studies.seat.plan import NEIGHBOUR, NO_STABILITY, NO_TOPK, NONE, SEAT, TABLE_1, TABLE_4
from holdfast.studies.seat.strengths import rival_of
from holdfast.study.measurement import FamilyKey, Measurement, QuantityKey
from holdfast.study.numbers import MEMBER
from holdfast.study.published_number import Published, published_table

STUDY = "holdfast.studies.seat"
TABLES = {
    "1": "seat_table_1_embedding_perturbation",
    "3": "seat_table_3_word_perturbation",
    "4": "seat_table_4_ablation",
}
Quantity = Literal["jsd", "tvd_sum", "f1", "sufficiency"]
QUANTITIES: tuple[Quantity, ...] = ("jsd", "tvd_sum", "f1", "sufficiency")
TERMS = {("no", "no"): "neither", ("yes", "no"): "stability", ("no", "yes"): "topk", ("yes", "yes"): "both"}
DATA = {"emotion": "tweeteval/emotion", "sst": "sst2", "hate": "tweeteval/hate"}
TRAINED = {"neither": NONE, "stability": NO_TOPK, "topk": NO_STABILITY, "both": SEAT}
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


def published(rows: Iterable[Measurement]) -> list[Published]:
    """Every printed number that can be read, with ours: the mean divergence, F1, and the total variation
    summed over the test texts as printed (ours: the mean times their number)."""
    kept = list(rows)
    table = {(row.family, row.what): row.interval for row in kept if row.by == "all"}
    texts = {row.family: row.n for row in kept if (row.quantity, row.by) == (F1, MEMBER)}
    families = {
        (family.data, split_label(family.model)[0], rival_of(family.repair) or family.repair): family
        for family in compared(kept)
    }
    numbered = _numbers(word_probe(kept))
    return [_beside(cell, table, families, texts, numbered) for cell in cells() if cell.value is not None]


def _beside(
    cell: Cell,
    table: Mapping[tuple[FamilyKey, QuantityKey], Interval],
    families: Mapping[tuple[str, str, str], FamilyKey],
    texts: Mapping[FamilyKey, int],
    numbered: Mapping[tuple[str, Quantity], QuantityKey],
) -> Published:
    repair = TRAINED.get(cell.repair, cell.repair) if cell.table == "4" else cell.repair
    family = families.get((DATA.get(cell.dataset, cell.dataset), cell.encoder, repair))
    ours = None if family is None else table.get((family, numbered[cell.table, cell.quantity]))
    scale = texts[family] if family is not None and cell.quantity == "tvd_sum" else 1
    assert cell.value is not None
    row = f"{cell.dataset} {cell.encoder} {cell.repair}"
    return Published.beside(cell.table, row, cell.quantity, cell.value, ours, scale)


def _numbers(words: str) -> dict[tuple[str, Quantity], QuantityKey]:
    """What each column of each table is here; without neighbours Table 3 has no number of ours."""
    (noise_jsd, noise_tvd), (_, more_tvd) = under(TABLE_1), under(TABLE_4)
    replaced = NEIGHBOUR if words == NEIGHBOUR else "none"
    return {
        ("1", "jsd"): noise_jsd,
        ("1", "tvd_sum"): noise_tvd,
        ("3", "jsd"): jsd(replaced),
        ("3", "tvd_sum"): tvd(replaced),
        ("4", "sufficiency"): SUFFICIENT,
        ("4", "tvd_sum"): more_tvd,
        **{(name, "f1"): SCORE for name in TABLES},
    }
