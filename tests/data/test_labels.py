from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.labels import classes_of, labels_of, refuse, unwritable
from holdfast.data.tables import Table


def table(values):
    return Table(Path("a.csv"), {"y": values})


def test_labels_are_written_alike_whatever_their_type():
    assert labels_of(table([1.0, 2, True, " a  b ", None, "n/a"]), "y") == ["1", "2", "true", "a b", "", ""]


def test_labels_that_are_neither_text_nor_numbers_are_refused():
    with pytest.raises(
        BadData, match=r"^a.csv: 1 of 2 labels in column 'y' are neither text nor numbers \(row 2\)"
    ):
        labels_of(table(["a", ["b"]]), "y")


def test_classes_stand_in_order():
    assert classes_of(table([]), "y", ["10", "9", "9"]) == ("9", "10")
    assert classes_of(table([]), "y", ["b", "a", "a"]) == ("a", "b")
    with pytest.raises(BadData, match=r"all 2 labels in column 'y' are 'a': expected two classes or more$"):
        classes_of(table([]), "y", ["a", "a"])


def test_bad_values_are_named_by_their_rows():
    refuse(table([]), [1, 2], lambda value: value > 2, "are large")
    with pytest.raises(BadData, match=r"^a.csv: 1 of 2 are large \(row 2\): fix or remove them$"):
        refuse(table([]), [1, 3], lambda value: value > 2, "are large")
    assert unwritable("\ud800")
    assert not unwritable("ä")
