"""What the tables of a report share: their leading columns, and a measurement as a cell."""

from collections.abc import Callable, Sequence

from holdfast.report.page import Span
from holdfast.study.measurement import Measurement

Group = tuple[str, str, str]


def lead(
    groups: Sequence[Group], always: str = ""
) -> tuple[Callable[[Group], tuple[str, ...]], tuple[str, ...]]:
    """The leading columns: of data, model and repair, those that differ, and ``always``.

    >>> first, head = lead([("d", "cnn", "none"), ("d", "cnn", "aswa")])
    >>> head, first(("d", "cnn", "aswa"))
    (('repair',), ('aswa',))
    """
    heads = ("data", "model", "repair")
    kept = [i for i, name in enumerate(heads) if name == always or len({group[i] for group in groups}) > 1]
    return lambda group: tuple(group[i] for i in kept), tuple(heads[i] for i in kept)


def cell(row: Measurement | None, scaled: bool = False, share: bool = False) -> Span:
    """A measurement with its interval; a dash where there is none."""
    if row is None:
        return Span(None)
    digits = 2 if row.quantity in ("hold", "gain") else 3
    return Span(row.value, row.low, row.high, scaled=scaled, share=share, digits=digits)
