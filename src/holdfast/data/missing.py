"""Rows that lack something: a few are dropped and counted, many are refused."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from holdfast.core.errors import BadData
from holdfast.data.reading import listed

MOST = 0.05  # of all rows; where more lack something, it is rather the wrong column or a broken file


def drop(path: Path, rows: int, lacking: Mapping[str, Sequence[int]], strict: bool = False) -> list[str]:
    """The note on the rows (counted from 1) that lack a text, a label, a user; each is named once.

    More than ``MOST`` of all rows are refused, and any with ``strict``.

    >>> drop(Path("a.csv"), 4000, {"text": range(1, 13), "label": [20]})
    ['12 of 4,000 rows had no text and 1 no label: dropped.']
    """
    gone = sorted(row for some in lacking.values() for row in some)
    if not gone:
        return []
    if not strict and len(gone) <= MOST * rows:
        return [f"{_counts(rows, lacking, 'had')}: dropped."]
    have = "has" if len(next(filter(None, lacking.values()))) == 1 else "have"
    where = f"{'row' if len(gone) == 1 else 'rows'} {listed(f'{row:,}' for row in gone)}"
    why = (
        "fix or remove them, or leave --strict out to have them dropped"
        if strict
        else f"more than {100 * MOST:.0f} % are not dropped: fix or remove them, or name another column"
    )
    raise BadData(f"{path}: {_counts(rows, lacking, have)} ({where}): {why}")


def _counts(rows: int, lacking: Mapping[str, Sequence[int]], have: str) -> str:
    parts = [f"{len(some):,} no {what}" for what, some in lacking.items() if len(some)]
    parts[0] = parts[0].replace(" no ", f" of {rows:,} rows {have} no ")
    return listed(parts)
