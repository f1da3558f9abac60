"""Texts as numbers: ids that a tokenizer of somebody's own gave, with a mask and words to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from holdfast.core.errors import BadData
from holdfast.data.base import Task
from holdfast.data.reading import listed, shown
from holdfast.data.tables import Table
from holdfast.data.text.columns import LABEL_NAMES, Columns, guess, labels_in, numbered
from holdfast.data.text.corpus import Part
from holdfast.data.text.dataset import TextDataset, TextSplit
from holdfast.data.text.parts import parts_of
from holdfast.data.text.sequences import Sequences
from holdfast.data.text.vocabulary import SPECIAL, Vocabulary

NO_ID = -1  # of our own special words
Word = tuple[int, str]


@dataclass(frozen=True)
class NumberColumns:
    """Which column holds what; the label's is guessed where it is not named."""

    ids: str
    mask: str | None = None
    tokens: str | None = None
    label: str | None = None
    classes: tuple[str, ...] | None = None
    whole: bool = False


def dataset_of(table: Table, columns: NumberColumns, name: str, max_length: int = 256) -> TextDataset:
    """The data set: every id, with each word that it is shown as, is a word of its vocabulary.

    >>> rows = {"ids": [[7, 5], [5]] * 2, "tokens": [["good", "film"], ["film"]] * 2, "label": [1, 0] * 2}
    >>> data = dataset_of(Table(Path("t"), rows), NumberColumns("ids", tokens="tokens", whole=True), "t")
    >>> data.vocabulary.words, data.task.ids, data.tokens("test", 0)
    (('<pad>', '<unk>', 'film', 'good'), tensor([-1, -1,  5,  7]), ['good', 'film'])
    """
    for option in ("ids", "mask", "tokens", "label"):
        column = getattr(columns, option)
        if column is not None and column not in table.columns:
            raise BadData(
                f"{table.path} has no column {shown(column)} for {option}: "
                f"its columns are {listed(table.names)}"
            )
    label = columns.label or guess(table.names, LABEL_NAMES, {columns.ids, columns.mask, columns.tokens})
    if label is None:
        raise BadData(f"cannot tell which column of {table.path} holds the labels: name it, label=…")
    texts = _texts(table, columns)
    labels = labels_in(table, label)
    if "" in labels:
        raise BadData(f"{table.path}: row {labels.index('') + 1} has no label: fix or remove it")
    given = Columns(classes=columns.classes, whole=True)
    classes, targets = numbered(table, label, labels, given)
    cut = [text[:max_length] for text in texts]
    used = {columns.ids, columns.mask, columns.tokens, label}
    parts, notes = parts_of(table, Part(cut, targets), classes, used, columns.whole)  # type: ignore[arg-type]
    words = sorted({word for text in cut for word in text})
    number = {word: place for place, word in enumerate(words, len(SPECIAL))}
    splits = {
        key: TextSplit(_sequences(part.texts, number), torch.tensor(list(part.targets), dtype=torch.long))
        for key, part in parts.items()
    }
    vocabulary = Vocabulary((*SPECIAL, *(word for _, word in words)))
    ids = torch.tensor([NO_ID] * len(SPECIAL) + [one for one, _ in words])
    task = Task(len(vocabulary), classes, words=vocabulary.words, ids=ids)
    long = sum(len(text) > max_length for text in texts)
    told = f"{long:,} of {len(texts):,} texts were cut to their first {max_length} tokens."
    return TextDataset(name, task, splits, vocabulary, (*notes, *([told] if long else [])), max_length)


def _texts(table: Table, columns: NumberColumns) -> list[list[Word]]:
    rows = [_ids(table, number, row) for number, row in enumerate(table.columns[columns.ids], 1)]
    masks = None if columns.mask is None else table.columns[columns.mask]
    words = None if columns.tokens is None else table.columns[columns.tokens]
    if masks is None:
        _check_unpadded(table, rows)
    texts = []
    for number, row in enumerate(rows, 1):
        length = len(row) if masks is None else _length(table, number, row, masks[number - 1])
        shown_as = [str(one) for one in row] if words is None else words[number - 1]
        if not isinstance(shown_as, list) or len(shown_as) not in (length, len(row)):
            raise BadData(
                f"{table.path}: expected a token for each of the {length} ids of row {number}, but got "
                f"{len(shown_as) if isinstance(shown_as, list) else shown(shown_as)}"
            )
        if not length:
            raise BadData(f"{table.path}: row {number} has no ids: expected at least one")
        texts.append([(one, _word(word)) for one, word in zip(row[:length], shown_as, strict=False)])
    return texts


def _ids(table: Table, number: int, row: Any) -> list[int]:
    if not isinstance(row, list) or not all(isinstance(one, int) and one >= 0 for one in row):
        raise BadData(f"{table.path}: expected a list of ids, from 0, in row {number}, but got {shown(row)}")
    return row


def _length(table: Table, number: int, row: Sequence[int], mask: Any) -> int:
    """How many ids are there, which are the first."""
    if not isinstance(mask, list) or len(mask) != len(row) or any(one not in (0, 1) for one in mask):
        raise BadData(
            f"{table.path}: expected true or false for each of the {len(row)} ids in the mask of row {number}"
        )
    length = sum(map(bool, mask))
    if not all(mask[:length]):
        raise BadData(
            f"{table.path}: the mask of row {number} hides ids before others: expected padding at the end"
        )
    return length


def _check_unpadded(table: Table, rows: Sequence[Sequence[int]]) -> None:
    """Refuse what looks padded, where nobody says which ids are padding."""
    alike = len({len(row) for row in rows}) == 1 and len(rows) > 1
    ends = [row[-1] for row in rows if len(row) > 1 and row[-1] == row[-2]]
    if alike and len(set(ends)) == 1:
        raise BadData(
            f"{table.path}: all rows have {len(rows[0])} ids, and some end in {ends[0]} more than once, as "
            "after padding: give a mask, or lists without padding"
        )


def _word(word: object) -> str:
    """On one line, as words are kept."""
    return " ".join(str(word).split()) or "␣"


def _sequences(texts: Sequence[Any], number: dict[Word, int]) -> Sequences:
    lengths = torch.tensor([0, *map(len, texts)])
    flat = [number[word] for text in texts for word in text]
    return Sequences(torch.tensor(flat, dtype=torch.int32), lengths.cumsum(0))
