import math
from pathlib import Path
from typing import Any

import pytest

from holdfast.core.errors import BadData
from holdfast.data.tables import Table
from holdfast.data.text.columns import Columns, corpus_of
from holdfast.data.text.corpus import Corpus

TEXTS = [f"text {i}" for i in range(12)]
FIX = "fix or remove them"
MANY = f"more than 5 % are not dropped: {FIX}, or name another column"


def made(
    columns: dict[str, list[Any]],
    text: str | None = None,
    label: str | None = None,
    query: str | None = None,
    strict: bool = False,
) -> Corpus:
    return corpus_of(Table(Path("a.csv"), columns), Columns(text, label, query), "a", strict)


def refused(columns: dict[str, list[Any]], **given: Any) -> str:
    with pytest.raises(BadData) as caught:
        made(columns, **given)
    return str(caught.value)


def test_columns_are_guessed_by_name() -> None:
    corpus = made({"id": TEXTS, "Review": TEXTS, "Stars": ["2", "10"] * 6})
    assert corpus.classes == ("2", "10")
    assert corpus.notes == (
        "The texts are column 'Review' and the labels column 'Stars', by their names.",
        "The file names no splits: a seeded, stratified split of 70/10/20 % is used.",
    )
    assert {name: len(part.texts) for name, part in corpus.parts.items()} == {
        "train": 8,
        "validation": 2,
        "test": 2,
    }
    assert all(sorted(set(part.targets)) == [0, 1] for part in corpus.parts.values())


def test_given_columns_need_no_note() -> None:
    corpus = made({"a": TEXTS, "b": ["x", "y"] * 6, "c": TEXTS}, text="a", label="b", query="c")
    assert corpus.parts["train"].queries == corpus.parts["train"].texts
    assert len(corpus.notes) == 1


@pytest.mark.parametrize(
    "columns", [{"a": TEXTS, "b": TEXTS}, {"text": TEXTS, "review": TEXTS, "label": TEXTS}, {"text": TEXTS}]
)
def test_columns_that_cannot_be_told(columns: dict[str, list[Any]]) -> None:
    names = " and ".join(filter(None, [", ".join(list(columns)[:-1]), list(columns)[-1]]))
    assert refused(columns) == (
        "cannot tell which columns of a.csv hold the texts and the labels: "
        f"name them with --text and --label, or choose --model forest if they are features "
        f"(its columns are {names})"
    )


def test_a_missing_column() -> None:
    assert refused({"a": TEXTS, "b": TEXTS}, text="review") == (
        "a.csv has no column 'review' for --text: its columns are a and b"
    )
    assert refused({"text": TEXTS, "label": TEXTS}, query="q") == (
        "a.csv has no column 'q' for --query: its columns are text and label"
    )


def test_the_same_column_twice() -> None:
    message = "a.csv: expected different columns for --text, --label and --query"
    assert refused({"a": TEXTS}, text="a", label="a") == message
    assert refused({"a": TEXTS, "b": TEXTS}, text="a", label="b", query="a") == message


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([True, False] * 6, ("false", "true")),
        ([10, 9] * 6, ("9", "10")),
        ([1.0, 2.5] * 6, ("1", "2.5")),
        (["10", "9", "x"] * 4, ("10", "9", "x")),
        ([" good", "good ", "bad"] * 4, ("bad", "good")),
    ],
)
def test_classes(labels: list[Any], classes: tuple[str, ...]) -> None:
    assert made({"text": TEXTS, "label": labels}).classes == classes


def test_one_class_only() -> None:
    assert refused({"text": TEXTS, "label": ["x"] * 12}) == (
        "a.csv: all 12 labels in column 'label' are 'x': expected two classes or more"
    )


def test_a_single_row() -> None:
    assert refused({"text": ["a"], "label": ["x"]}) == (
        "a.csv has a single row: expected at least three rows of every class"
    )


def test_labels_that_are_all_different() -> None:
    assert refused({"text": TEXTS, "label": list(range(12))}) == (
        "a.csv: all 12 labels in column 'label' are different: "
        "expected a class that rows share (is it the right column?)"
    )


def test_too_few_rows_of_a_class() -> None:
    assert refused({"text": TEXTS, "label": ["x"] * 9 + ["y"] * 2 + ["z"]}) == (
        "a.csv: expected at least 3 rows of every class to split them, "
        "but 2 of 3 classes have fewer ('z' has 1): "
        "add rows, or a column 'split' that says train, validation or test"
    )


@pytest.mark.parametrize("empty", ["", "  \n", "\u200b", None])
def test_empty_texts(empty: str | None) -> None:
    assert refused({"text": [empty, *TEXTS[1:11], empty], "label": ["x", "y"] * 6}) == (
        f"a.csv: 2 of 12 rows have no text (rows 1 and 12): {MANY}"
    )
    queries = [*TEXTS[:3], empty, *TEXTS[4:]]
    assert refused({"text": TEXTS, "label": ["x", "y"] * 6, "q": queries}, query="q") == (
        f"a.csv: 1 of 12 rows has no query (row 4): {MANY}"
    )


@pytest.mark.parametrize("missing", ["", " NaN", "null", None, math.nan])
def test_missing_labels(missing: Any) -> None:
    assert refused({"text": TEXTS, "label": ["x", missing] * 6}) == (
        f"a.csv: 6 of 12 rows have no label (rows 2, 4, 6, 8, 10 and 12): {MANY}"
    )


def test_a_few_rows_that_lack_something_are_dropped_and_counted() -> None:
    texts = ["", *TEXTS * 5, math.nan, "plain"]
    labels = ["x", *["x", "y"] * 30, "", "nan"]
    splits = ["test", *["train"] * 40, *["dev"] * 10, *["test"] * 10, "other", None]
    corpus = made({"text": texts, "label": labels, "split": splits})
    assert [len(part.texts) for part in corpus.parts.values()] == [40, 10, 10]
    assert corpus.parts["train"].texts[:2] == ["text 0", "text 1"]
    assert corpus.parts["train"].targets[:2] == [0, 1]
    assert corpus.notes[1:] == ("2 of 63 rows had no text and 1 no label: dropped.",)
    assert refused({"text": texts, "label": labels}, strict=True) == (
        "a.csv: 2 of 63 rows have no text and 1 no label (rows 1, 62 and 63): "
        "fix or remove them, or leave --strict out to have them dropped"
    )


def test_one_row_in_twenty_is_few_and_one_in_nineteen_many() -> None:
    for good, few in ((19, True), (18, False)):
        columns = {
            "text": [*["fine"] * good, None],
            "label": [*["x", "y"] * (good // 2), *"y" * (good % 2), "x"],
        }
        if few:
            assert made(columns).notes[1] == "1 of 20 rows had no text: dropped."
        else:
            assert refused(columns) == f"a.csv: 1 of 19 rows has no text (row 19): {MANY}"


def test_values_of_the_wrong_kind() -> None:
    assert refused({"text": [1, *TEXTS[1:]], "label": ["x", "y"] * 6}) == (
        f"a.csv: 1 of 12 texts in column 'text' are not text (row 1): {FIX}"
    )
    assert refused({"text": TEXTS, "label": ["x", ["y"]] * 6}).startswith(
        "a.csv: 6 of 12 labels in column 'label' are neither text nor numbers (rows 2, 4,"
    )
    assert refused({"text": ["a \ud800", *TEXTS[1:]], "label": ["x", "y"] * 6}) == (
        f"a.csv: 1 of 12 texts in column 'text' hold halves of characters, which are not UTF-8 (row 1): {FIX}"
    )


def test_splits_that_the_file_names() -> None:
    columns = {"text": TEXTS, "label": ["x", "y"] * 6, "split": ["Train"] * 6 + ["dev"] * 2 + ["test"] * 4}
    corpus = made(columns)
    assert corpus.parts["train"].texts == TEXTS[:6]
    assert corpus.parts["validation"].texts == TEXTS[6:8]
    assert corpus.parts["test"].texts == TEXTS[8:]
    assert len(corpus.notes) == 1


def test_a_file_without_validation_rows() -> None:
    corpus = made({"text": TEXTS, "label": ["x", "y"] * 6, "split": ["train"] * 8 + ["test"] * 4})
    assert {name: len(part.texts) for name, part in corpus.parts.items()} == {
        "train": 6,
        "validation": 2,
        "test": 4,
    }
    assert corpus.notes[-1] == (
        "The file has no validation rows: a seeded, stratified 10 % of its training rows is used."
    )


def test_splits_that_cannot_be_used() -> None:
    columns = {"text": TEXTS, "label": ["x", "y"] * 6}
    assert refused({**columns, "split": ["train"] * 11 + ["other"]}) == (
        "a.csv: expected train, validation or test in column 'split', but got 'other'"
    )
    assert refused({**columns, "split": ["train"] * 12}) == (
        "a.csv: no row of column 'split' says 'test': expected at least one"
    )
    assert refused({**columns, "split": ["train", "test"] * 6}) == (
        "a.csv: class 'y' has no training row: expected at least one"
    )
    assert made({**columns, "split": list("abcdefghijkl")}).notes[1] == (
        "The column 'split' is not used: none of its values is train, validation or test."
    )
