"""Which rows train and which test: all test where nothing is trained."""

from pathlib import Path

from holdfast.data.tables import Table
from holdfast.data.text.columns import Columns, corpus_of
from holdfast.data.text.corpus import Part
from holdfast.data.text.parts import parts_of

ROWS = Part([f"text {row}" for row in range(30)], [row % 2 for row in range(30)])


def sizes(table, whole=False):
    parts, notes = parts_of(Table(Path("t"), table), ROWS, ("no", "yes"), {"label"}, whole)
    return [len(parts[name].texts) for name in ("train", "validation", "test")], notes


def test_a_table_without_splits():
    named = "The file names no splits: a seeded, stratified split of 70/10/20 % is used."
    assert sizes({}) == ([20, 4, 6], [named])
    assert sizes({}, whole=True) == ([0, 0, 30], ["Nothing is trained, so every row is a test row."])


def test_a_table_that_names_them_is_believed():
    split = {"split": ["train"] * 10 + ["val"] * 10 + ["test"] * 10}
    assert sizes(split) == sizes(split, whole=True) == ([10, 10, 10], [])


def test_texts_where_nothing_is_trained():
    table = Table(Path("t"), {"text": ["good", "bad", "fine"], "label": ["pos", "neg", "pos"]})
    corpus = corpus_of(table, Columns(classes=("pos", "neg"), whole=True), "t")
    assert corpus.classes == ("pos", "neg")
    assert list(corpus.parts["test"].targets) == [0, 1, 0]
    assert not corpus.parts["train"].texts
