"""Which rows of a table train, which validate and which test."""

from collections import Counter

from holdfast.core.errors import BadData
from holdfast.data.base import SPLITS
from holdfast.data.divide import THIRDS, divide, hold_out
from holdfast.data.reading import shown
from holdfast.data.tables import Table
from holdfast.data.text.corpus import Part

SPLIT_NAMES = {"train": "train", "training": "train", "test": "test", "validation": "validation"}
SPLIT_NAMES |= {"valid": "validation", "val": "validation", "dev": "validation"}


def parts_of(
    table: Table, rows: Part, classes: tuple[str, ...], used: set[str | None], whole: bool = False
) -> tuple[dict[str, Part], list[str]]:
    """The parts of these rows, by the column ``split`` where there is one that is not ``used``, and notes on
    them; with ``whole`` all rows test where there is none."""
    parts, notes = _given_splits(table, rows, classes, used)
    if parts is None:
        parts, made = _all_test(rows) if whole else _made_splits(table, rows, classes)
        notes = [*notes, made]
    return parts, notes


def _all_test(rows: Part) -> tuple[dict[str, Part], str]:
    none = rows.take([])
    return {
        "train": none,
        "validation": none,
        "test": rows,
    }, "Nothing is trained, so every row is a test row."


def _given_splits(
    table: Table, whole: Part, classes: tuple[str, ...], used: set[str | None]
) -> tuple[dict[str, Part] | None, list[str]]:
    if "split" not in table.columns or "split" in used:
        return None, []
    written = [str(value).strip().lower() for value in table.columns["split"]]
    strange = [value for value in written if value not in SPLIT_NAMES]
    if len(strange) == len(written):
        return None, ["The column 'split' is not used: none of its values is train, validation or test."]
    if strange:
        raise BadData(
            f"{table.path}: expected train, validation or test in column 'split', but got {shown(strange[0])}"
        )
    rows: dict[str, list[int]] = {name: [] for name in SPLITS}
    for row, value in enumerate(written):
        rows[SPLIT_NAMES[value]].append(row)
    for name in ("train", "test"):
        if not rows[name]:
            raise BadData(f"{table.path}: no row of column 'split' says '{name}': expected at least one")
    parts = {name: whole.take(some) for name, some in rows.items()}
    if whole.options is None:
        _check_training(table, parts["train"], classes)
    if rows["validation"]:
        return parts, []
    _check_sizes(table, parts["train"], classes, 2)
    parts["train"], parts["validation"] = hold_out(parts["train"], 0.1, "table")
    share = f"a seeded{whole.stratified} 10 % of its training rows is used."
    return parts, [f"The file has no validation rows: {share}"]


def _check_training(table: Table, train: Part, classes: tuple[str, ...]) -> None:
    absent = sorted(set(range(len(classes))) - set(train.targets))
    if absent:
        raise BadData(
            f"{table.path}: class {shown(classes[absent[0]])} has no training row: expected at least one"
        )


def _made_splits(table: Table, whole: Part, classes: tuple[str, ...]) -> tuple[dict[str, Part], str]:
    _check_sizes(table, whole, classes, 3)
    cut = divide(whole.strata, THIRDS, "table")
    parts = {name: whole.take(rows) for name, rows in zip(SPLITS, cut, strict=True)}
    return parts, f"The file names no splits: a seeded{whole.stratified} split of 70/10/20 % is used."


def _check_sizes(table: Table, part: Part, classes: tuple[str, ...], least: int) -> None:
    small = [(count, target) for target, count in Counter(part.strata).items() if count < least]
    if small and part.options is not None:
        raise BadData(f"{table.path}: expected at least {least} questions to split, but got {small[0][0]}")
    if small:
        count, target = min(small)
        raise BadData(
            f"{table.path}: expected at least {least} rows of every class to split them, but {len(small)} of "
            f"{len(classes)} classes have fewer ({shown(classes[target])} has {count}): "
            "add rows, or a column 'split' that says train, validation or test"
        )
