"""From a table to a corpus: which column is what, classes, splits."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.core.errors import BadData
from holdfast.data.base import SPLITS
from holdfast.data.divide import THIRDS, divide, hold_out
from holdfast.data.labels import classes_of, labels_of, refuse, unwritable
from holdfast.data.missing import drop
from holdfast.data.reading import listed, shown
from holdfast.data.tables import Table
from holdfast.data.text.cloze import described, is_cloze, questions
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.vocabulary import tokenise

TEXT_NAMES = ("text", "sentence", "review", "content", "comment", "tweet", "document", "message", "body")
LABEL_NAMES = ("label", "target", "class", "stars", "sentiment", "rating", "category", "polarity", "emotion")
SPLIT_NAMES = {"train": "train", "training": "train", "test": "test", "validation": "validation"}
SPLIT_NAMES |= {"valid": "validation", "val": "validation", "dev": "validation"}
MOST = 500_000  # characters of one text


@dataclass(frozen=True)
class Columns:
    """Which column holds what; ``None`` is guessed (``query``: there is none). ``entities`` lists those that
    can be the answer of a cloze question, where the texts do not mark them."""

    text: str | None = None
    label: str | None = None
    query: str | None = None
    entities: str | None = None


def corpus_of(table: Table, columns: Columns, name: str, strict: bool = False) -> Corpus:
    """The corpus of a table; whatever is wrong with it is one sentence. Rows that lack a text or a label are
    dropped while they are few (:mod:`holdfast.data.missing`)."""
    text, label, notes = _choose(table, columns)
    given = {"text": _texts(table, text), "label": labels_of(table, label)}
    if columns.query is not None:
        given["query"] = _texts(table, columns.query)
    cloze = columns.entities is not None or is_cloze(given.get("query"), given["label"])
    if cloze:
        given |= described(given, None if columns.entities is None else table.columns[columns.entities])
    table, given, dropped = _complete(table, given, strict)
    notes += dropped
    if cloze:
        classes, whole = questions(given)
    else:
        classes = classes_of(table, label, given["label"])
        numbers = {value: number for number, value in enumerate(classes)}
        whole = Part(given["text"], [numbers[value] for value in given["label"]], given.get("query"))
    parts, more = splits_of(table, whole, classes, {text, label, columns.query})
    return Corpus(name, classes, parts, (*notes, *more))


def splits_of(
    table: Table, whole: Part, classes: tuple[str, ...], used: set[str | None]
) -> tuple[dict[str, Part], list[str]]:
    """The rows to train on, to validate and to test, as the column 'split' says or a seeded draw; and what a
    reader must know of that. Columns that are ``used`` for something else are not read."""
    parts, notes = _given_splits(table, whole, classes, used)
    if parts is not None:
        return parts, notes
    parts, made = _made_splits(table, whole, classes)
    return parts, [*notes, made]


def _choose(table: Table, columns: Columns) -> tuple[str, str, list[str]]:
    given = {name: getattr(columns, name) for name in ("text", "label", "query", "entities")}
    for option, name in given.items():
        if name is not None and name not in table.columns:
            raise BadData(
                f"{table.path} has no column {shown(name)} for --{option}: "
                f"its columns are {listed(table.names)}"
            )
    used = set(given.values())
    text = columns.text or guess(table.names, TEXT_NAMES, used)
    label = columns.label or guess(table.names, LABEL_NAMES, used)
    if text is None or label is None:
        raise BadData(
            f"cannot tell which columns of {table.path} hold the texts and the labels: "
            f"name them with --text and --label, or choose --model forest if they are features "
            f"(its columns are {listed(table.names)})"
        )
    chosen = [name for name in (text, label, columns.query, columns.entities) if name is not None]
    if len(set(chosen)) < len(chosen):
        raise BadData(f"{table.path}: expected different columns for --text, --label and --query")
    if columns.entities is not None and columns.query is None:
        raise BadData(f"{table.path}: --entities is for cloze questions: name their column with --query")
    if columns.text and columns.label:
        return text, label, []
    note = f"The texts are column {shown(text)} and the labels column {shown(label)}, by their names."
    return text, label, [note]


def guess(names: Sequence[str], plausible: Sequence[str], used: set[str | None]) -> str | None:
    matches = [name for name in names if name.strip().lower() in plausible and name not in used]
    return matches[0] if len(matches) == 1 else None


def _texts(table: Table, column: str) -> list[str]:
    values, where = table.columns[column], f"in column {shown(column)}"
    texts = ["" if _is_none(value) else value for value in values]
    refuse(table, texts, lambda x: not isinstance(x, str), f"texts {where} are not text")
    much = f"texts {where} are longer than {MOST:,} characters, as after a quote that is never closed"
    refuse(table, texts, lambda x: len(x) > MOST, much)
    refuse(table, texts, unwritable, f"texts {where} hold halves of characters, which are not UTF-8")
    return [text if tokenise(text, 1) else "" for text in texts]


def _complete(
    table: Table, given: dict[str, list[str]], strict: bool
) -> tuple[Table, dict[str, list[str]], list[str]]:
    """The rows that lack nothing, of a table and of what was read of it, and a note on the others."""
    lacking: dict[str, list[int]] = {what: [] for what in given}
    kept = []
    for row, values in enumerate(zip(*given.values(), strict=True)):
        if "" in values:
            lacking[list(given)[values.index("")]].append(row + 1)
        else:
            kept.append(row)
    notes = drop(table.path, len(table), lacking, strict)
    if not notes:
        return table, given, []
    splits = {name: table.columns[name] for name in table.names if name == "split"}
    split = {name: [values[row] for row in kept] for name, values in splits.items()}
    left = {what: [values[row] for row in kept] for what, values in given.items()}
    return Table(table.path, split), left, notes


def _is_none(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


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
