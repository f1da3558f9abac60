"""What the paper's tables say of its claims, counted from their cells."""

from collections.abc import Iterator
from functools import cache

from holdfast.studies.seat.plan import NONE, RIVALS, SEAT
from holdfast.studies.seat.published_tables import Quantity, cells

Row = dict[str, float]
NEAR = 1e-9


@cache
def rows(table: str, quantity: Quantity) -> tuple[Row, ...]:
    """The numbers of a table by repair, for each data set and encoder; of a lost digit the smallest."""
    found: dict[tuple[str, str], Row] = {}
    for cell in cells():
        if (cell.table, cell.quantity) == (table, quantity):
            found.setdefault((cell.dataset, cell.encoder), {})[cell.repair] = cell.ends[0]
    return tuple(found.values())


def lowest(table: str, quantity: Quantity) -> str:
    """In how many cells SEAT has the lowest number.

    >>> lowest("1", "jsd")
    'in 12 of 12 cells (Table 1)'
    """
    kept = rows(table, quantity)
    count = sum(row[SEAT] == min(row.values()) for row in kept)
    return f"in {count} of {len(kept)} cells (Table {table})"


def rivals_moved(table: str, more: bool) -> str:
    """In how many cells a rival's attention moves more, or less, than the vanilla model's.

    >>> rivals_moved("1", True), rivals_moved("3", False)
    ('in 54 of 60 cells (Table 1)', 'in 20 of 20 cells (Table 3)')
    """
    both = [(row[rival], row[NONE]) for row in rows(table, "jsd") for rival in RIVALS]
    count = sum(own > vanilla if more else own < vanilla for own, vanilla in both)
    return f"in {count} of {len(both)} cells (Table {table})"


def f1_lost() -> str:
    """The most that SEAT loses.

    >>> f1_lost()
    'at most 0.008 (Tables 1 and 3)'
    """
    return f"at most {max(-gain for gain in _gains()):.3f} (Tables 1 and 3)"


def f1_above() -> str:
    """In how many cells SEAT has the better F1.

    >>> f1_above()
    'in 9 of 16 cells (Tables 1 and 3)'
    """
    gains = list(_gains())
    return f"in {sum(gain > NEAR for gain in gains)} of {len(gains)} cells (Tables 1 and 3)"


def _gains() -> Iterator[float]:
    return (row[SEAT] - row[NONE] for table in "13" for row in rows(table, "f1"))
