"""From a table to a corpus: which column is what, classes, splits."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.core.errors import BadData
from holdfast.data.missing import drop
from holdfast.data.reading import MISSING, listed, shown
from holdfast.data.tables import Table
from holdfast.data.text.cloze import described, is_cloze, questions
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.parts import parts_of
from holdfast.data.text.vocabulary import tokenise

TEXT_NAMES = ("text", "sentence", "review", "content", "comment", "tweet", "document", "message", "body")
LABEL_NAMES = ("label", "target", "class", "stars", "sentiment", "rating", "category", "polarity", "emotion")
MOST = 500_000  # characters of one text


@dataclass(frozen=True)
class Columns:
    """Which column holds what; ``None`` is guessed (``query``: there is none). ``entities`` lists those that
    can be the answer of a cloze question, where the texts do not mark them; ``classes`` are in the order of a
    model's logits; ``whole`` says that nothing is trained, so that all rows are for testing."""

    text: str | None = None
    label: str | None = None
    query: str | None = None
    entities: str | None = None
    classes: tuple[str, ...] | None = None
    whole: bool = False


def corpus_of(table: Table, columns: Columns, name: str, strict: bool = False) -> Corpus:
    """The corpus of a table; whatever is wrong with it is one sentence. Rows that lack a text or a label are
    dropped while they are few (:mod:`holdfast.data.missing`)."""
    text, label, notes = _choose(table, columns)
    given = {"text": _texts(table, text), "label": labels_in(table, label)}
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
        classes, targets = numbered(table, label, given["label"], columns)
        whole = Part(given["text"], targets, given.get("query"))
    parts, more = parts_of(table, whole, classes, {text, label, columns.query}, columns.whole)
    return Corpus(name, classes, parts, (*notes, *more))


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
    """The one column whose name is as plausible; nothing where there are several, or none."""
    matches = [name for name in names if name.strip().lower() in plausible and name not in used]
    return matches[0] if len(matches) == 1 else None


def _texts(table: Table, column: str) -> list[str]:
    values, where = table.columns[column], f"in column {shown(column)}"
    texts = ["" if _is_none(value) else value for value in values]
    _refuse(table, texts, lambda x: not isinstance(x, str), f"texts {where} are not text")
    much = f"texts {where} are longer than {MOST:,} characters, as after a quote that is never closed"
    _refuse(table, texts, lambda x: len(x) > MOST, much)
    _refuse(table, texts, _unwritable, f"texts {where} hold halves of characters, which are not UTF-8")
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


def _unwritable(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def labels_in(table: Table, column: str) -> list[str]:
    """The labels of a column as texts, empty where there is none."""
    values, where = table.columns[column], f"in column {shown(column)}"
    known = ["" if is_missing(value) else value for value in values]
    _refuse(
        table,
        known,
        lambda x: not isinstance(x, str | int | float),
        f"labels {where} are neither text nor numbers",
    )
    labels = [written(value) for value in known]
    _refuse(table, labels, _unwritable, f"labels {where} hold halves of characters, which are not UTF-8")
    return labels


def is_missing(value: Any) -> bool:
    """Whether there is no value."""
    if isinstance(value, float):
        return not math.isfinite(value)
    return value is None or (isinstance(value, str) and value.strip().lower() in MISSING)


def written(value: Any) -> str:
    """A value as text: whole numbers without a point, in whichever type a file has them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    return " ".join(str(value).split())


def _refuse(table: Table, values: Sequence[Any], is_bad: Callable[[Any], bool], what: str) -> None:
    rows = [row for row, value in enumerate(values, 1) if is_bad(value)]
    if rows:
        where = f"{'row' if len(rows) == 1 else 'rows'} {listed(rows)}"
        raise BadData(f"{table.path}: {len(rows)} of {len(values)} {what} ({where}): fix or remove them")


def numbered(
    table: Table, column: str, labels: Sequence[str], columns: Columns
) -> tuple[tuple[str, ...], list[int]]:
    """The classes, and which one each row has; a label may be the number of one of the given ``classes``.

    Where nothing is trained, the order of the classes must be that of the logits: labels are their numbers,
    or the order is given; no ``classes`` at all say that the models know them by name.
    """
    classes = columns.classes or None
    if columns.classes == () or (classes is None and not columns.whole):
        classes = _classes(table, column, labels)
    numbers = {value: number for number, value in enumerate(classes or ())}
    counted = all(value.isdecimal() for value in labels)
    if counted and (classes is None or not set(labels) & set(numbers)):
        most = max(map(int, labels)) + 1
        classes = tuple(map(str, range(max(2, most)))) if classes is None else classes
        numbers = {str(number): number for number in range(len(classes))}
    if classes is None:
        raise BadData(
            f"{table.path}: which logit is of which class? Name the classes of column {shown(column)} in the "
            "order of the logits, classes=(…), or give labels as their numbers, from 0"
        )
    strange = [value for value in labels if value not in numbers]
    if strange:
        raise BadData(
            f"{table.path}: {len(strange)} of {len(labels)} labels in column {shown(column)} are none of the "
            f"classes {listed(classes)} ({shown(strange[0])} is one): name them all"
        )
    return classes, [numbers[value] for value in labels]


def _classes(table: Table, column: str, labels: Sequence[str]) -> tuple[str, ...]:
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
