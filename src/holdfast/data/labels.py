"""The labels of a table: what each row's class is called, and which classes there are."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from holdfast.core.errors import BadData
from holdfast.data.reading import MISSING, listed, shown
from holdfast.data.tables import Table


def unwritable(text: str) -> bool:
    """Whether a text holds halves of characters, which no file in UTF-8 can."""
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def labels_of(table: Table, column: str) -> list[str]:
    """The label of each row as it is written; nothing where it is missing."""
    values, where = table.columns[column], f"in column {shown(column)}"
    known = ["" if is_missing(value) else value for value in values]
    refuse(
        table,
        known,
        lambda x: not isinstance(x, str | int | float),
        f"labels {where} are neither text nor numbers",
    )
    labels = [written(value) for value in known]
    refuse(table, labels, unwritable, f"labels {where} hold halves of characters, which are not UTF-8")
    return labels


def is_missing(value: Any) -> bool:
    """Whether there is no value.

    >>> is_missing(" N/A "), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    if isinstance(value, float):
        return not math.isfinite(value)
    return value is None or (isinstance(value, str) and value.strip().lower() in MISSING)


def written(value: Any) -> str:
    """A value as text: whole numbers without a point, in whichever type a file has them.

    >>> written(2.0), written(True), written(" a  b ")
    ('2', 'true', 'a b')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    return " ".join(str(value).split())


def refuse(table: Table, values: Sequence[Any], is_bad: Callable[[Any], bool], what: str) -> None:
    """Refuse a table that has bad values, and name their rows."""
    rows = [row for row, value in enumerate(values, 1) if is_bad(value)]
    if rows:
        where = f"{'row' if len(rows) == 1 else 'rows'} {listed(rows)}"
        raise BadData(f"{table.path}: {len(rows)} of {len(values)} {what} ({where}): fix or remove them")


def classes_of(table: Table, column: str, labels: Sequence[str]) -> tuple[str, ...]:
    """The classes in order; labels that are all alike, or all different, are refused."""
    classes = sorted(set(labels), key=_order(labels))
    if len(labels) == 1:
        raise BadData(f"{table.path} has a single row: expected at least three rows of every class")
    if len(classes) == 1:
        raise BadData(
            f"{table.path}: all {len(labels)} labels in column {shown(column)} are {shown(classes[0])}: "
            "expected two classes or more"
        )
    if len(classes) == len(labels):
        raise BadData(
            f"{table.path}: all {len(labels)} labels in column {shown(column)} are different: "
            "expected a class that rows share (is it the right column?)"
        )
    return tuple(classes)


def _order(labels: Sequence[str]) -> Callable[[str], tuple[float, str]]:
    """By number where every label is one, else by the alphabet."""
    try:
        numbers = {label: float(label) for label in labels}
    except ValueError:
        return lambda label: (0.0, label)
    return lambda label: (numbers[label], label)
