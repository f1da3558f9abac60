"""From a table to a data set of features: which columns are used, classes, splits, the background."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.base import SPLITS
from holdfast.data.divide import sample
from holdfast.data.features.column import Column, amount, column_of, lacks
from holdfast.data.features.dataset import FeatureDataset, FeatureSplit
from holdfast.data.missing import drop
from holdfast.data.reading import listed, shown
from holdfast.data.tables import Table
from holdfast.data.text.columns import LABEL_NAMES, guess, labels_in, numbered
from holdfast.data.text.columns import Columns as TextColumns
from holdfast.data.text.corpus import Part
from holdfast.data.text.parts import SPLIT_NAMES, parts_of

ALL = "all"
BACKGROUND = 100  # rows
MOST_CLASSES = 20  # of labels that are numbers
MOST_COLUMNS = 1000


@dataclass(frozen=True)
class Choice:
    """Which column is the ``label`` (None: known by its name), and which are the ``features``, joined by
    commas; a ``limit`` of training rows; whether members ``resample`` them; ``strict`` refuses rows without a
    label."""

    label: str | None = None
    features: str | None = None
    limit: int | None = None
    resample: bool = False
    strict: bool = False


def features_of(table: Table, name: str, choice: Choice) -> FeatureDataset:
    """The data set of a table; whatever is wrong with it is one sentence."""
    label, guessed = _label(table, choice.label)
    classes, whole, dropped = _labelled(table, label, choice.strict)
    parts, divided = parts_of(_split_column(table, whole, label), whole, classes, {label})
    parts["train"], limited = _limited(parts["train"], choice.limit, len(classes))
    rows = [int(row) for row in parts["train"].texts]
    columns, told = _columns(table, label, choice.features, rows)
    values = torch.tensor([one.codes(table.columns[one.name]) for one in columns]).T.contiguous()
    notes = (*guessed, *dropped, *divided, *limited, *told)
    return dataset_of(name, classes, columns, values, parts, choice.resample, notes)


def dataset_of(
    name: str,
    classes: tuple[str, ...],
    columns: tuple[Column, ...],
    values: Float[Tensor, "N T"],
    parts: Mapping[str, Part],
    resample: bool,
    notes: Sequence[str],
) -> FeatureDataset:
    """The data set of coded rows; the texts of a part are the numbers of its rows."""
    rows = {part: torch.tensor([int(row) for row in parts[part].texts]) for part in SPLITS}
    splits = {
        part: FeatureSplit(
            values[rows[part]], torch.tensor(parts[part].targets), resample and part == "train"
        )
        for part in SPLITS
    }
    drawn = sample(parts["train"].targets, BACKGROUND, f"{name}/background")
    background = splits["train"].values[drawn]
    said = (
        f"A column that is taken away is filled from the background, {len(drawn)} training rows with every "
        "class in proportion, and the answers of the model are averaged."
    )
    again = ("Every member trains on its own draw of the training rows, with replacement (--resample).",)
    return FeatureDataset.of(
        name, classes, columns, splits, background, (*notes, said, *(again if resample else ()))
    )


def _label(table: Table, given: str | None) -> tuple[str, list[str]]:
    if given is not None and given not in table.columns:
        raise BadData(
            f"{table.path} has no column {shown(given)} for --label: its columns are {listed(table.names)}"
        )
    label = given or guess(table.names, LABEL_NAMES, set())
    if label is None:
        raise BadData(
            f"cannot tell which column of {table.path} holds the labels: name it with --label "
            f"(its columns are {listed(table.names)})"
        )
    return label, [] if given else [f"The labels are column {shown(label)}, by its name."]


def _labelled(table: Table, label: str, strict: bool) -> tuple[tuple[str, ...], Part, list[str]]:
    """The classes; the rows that have a label, by their numbers, with their classes; a note on the others."""
    labels = labels_in(table, label)
    _refuse_numbers(table, label, labels)
    lacking = [row for row, value in enumerate(labels, 1) if not value]
    notes = drop(table.path, len(table), {"label": lacking}, strict)
    kept = [row for row, value in enumerate(labels) if value]
    classes, targets = numbered(table, label, [labels[row] for row in kept], TextColumns())
    return classes, Part([str(row) for row in kept], targets), notes


def _refuse_numbers(table: Table, label: str, labels: Sequence[str]) -> None:
    """Labels that are many numbers are something to be estimated, not classes."""
    different = set(filter(None, labels))
    if len(different) > MOST_CLASSES and all(map(_is_number, different)):
        raise BadData(
            f"{table.path}: column {shown(label)} has {len(different):,} different numbers: expected "
            "classes, as regression is not done (cut it into a few classes, or name another --label)"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _split_column(table: Table, whole: Part, label: str) -> Table:
    """The column 'split' alone, of the rows that are kept."""
    if "split" not in table.columns or label == "split":
        return Table(table.path, {})
    values = table.columns["split"]
    return Table(table.path, {"split": [values[int(row)] for row in whole.texts]})


def _limited(train: Part, limit: int | None, classes: int) -> tuple[Part, list[str]]:
    if limit is None or limit >= len(train.texts):
        return train, []
    if limit < classes:
        raise BadSetting(f"expected limit to be at least the number of classes ({classes}), but got {limit}")
    note = f"Only {limit:,} of {len(train.texts):,} training rows are used (--limit)."
    return train.take(sample(train.targets, limit, "limit")), [note]


def _columns(
    table: Table, label: str, features: str | None, train: Sequence[int]
) -> tuple[tuple[Column, ...], list[str]]:
    """The columns that are used, and what a reader must know of them and of the others."""
    named = features not in (None, ALL)
    names = _named(table, label, features or "") if named else _others(table, label)
    columns, notes = [], []
    for name in names:
        values = table.columns[name]
        one = column_of(name, values, train)
        if isinstance(one, Column):
            columns.append(one)
            notes += _lacking(one, sum(map(lacks, values)), len(table))
        elif named:
            raise BadData(f"{table.path}: column {shown(name)} cannot be a feature ({one}): leave it out")
        else:
            notes.append(f"Column {shown(name)} is left out: {one}.")
    if not columns:
        why = " ".join(notes) or "It has no other column than the labels."
        raise BadData(f"{table.path}: expected a column to learn from, but there is none. {why}")
    if len(columns) > MOST_COLUMNS:
        raise BadData(
            f"{table.path} has {len(columns):,} columns to learn from: name at most {MOST_COLUMNS:,} of them "
            "with --features"
        )
    return tuple(columns), notes


def _lacking(column: Column, count: int, rows: int) -> list[str]:
    """What becomes of missing values."""
    if not count:
        return []
    fill = "a category of their own" if column.categories else f"the median, {amount(column.fill)}"
    return [f"Column {shown(column.name)} has no value in {count:,} of {rows:,} rows: they count as {fill}."]


def _others(table: Table, label: str) -> list[str]:
    """Every column but the labels, and but one that says which split a row is of."""
    names = [name for name in table.names if name != label]
    if "split" in names and str(table.columns["split"][0]).strip().lower() in SPLIT_NAMES:
        names.remove("split")
    return names


def _named(table: Table, label: str, features: str) -> list[str]:
    names = [name.strip() for name in features.split(",")]
    for name in names:
        if name not in table.columns:
            raise BadData(
                f"{table.path} has no column {shown(name)} for --features: "
                f"its columns are {listed(table.names)}"
            )
        if name == label:
            raise BadData(f"{table.path}: column {shown(name)} holds the labels: leave it out of --features")
    return list(dict.fromkeys(names))
