"""Tables as people have them, and what is wrong with some."""

from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.features.build import Choice, features_of
from holdfast.data.tables import Table

ROWS = 60


def columns(**more):
    every = {
        "age": [str(20 + row % 40) for row in range(ROWS)],
        "job": [("cook", "clerk", "")[row % 3] for row in range(ROWS)],
        "default": ["yes" if row % 4 == 0 else "no" for row in range(ROWS)],
    } | more
    return Table(Path("credit.csv"), {name: values for name, values in every.items() if values is not None})


def test_numbers_and_categories_are_told_apart():
    data = features_of(columns(), "credit", Choice("default"))
    assert [(one.name, one.size) for one in data.columns] == [("age", 1), ("job", 3)]
    assert data.task.classes == ("no", "yes")
    assert [len(data.splits[name]) for name in ("train", "validation", "test")] == [42, 6, 12]
    assert data.notes == (
        "The file names no splits: a seeded, stratified split of 70/10/20 % is used.",
        "Column 'job' has no value in 20 of 60 rows: they count as a category of their own.",
        "A column that is taken away is filled from the background, 42 training rows with every class in "
        "proportion, and the answers of the model are averaged.",
    )


def test_what_cannot_be_learned_from_is_left_out_and_said():
    names = [f"Ann {row}" for row in range(ROWS)]
    gaps = [None, *(float(row) for row in range(1, ROWS))]
    data = features_of(columns(name=names, one=["x"] * ROWS, wage=gaps), "credit", Choice("default"))
    assert [one.name for one in data.columns] == ["age", "job", "wage"]
    assert "Column 'name' is left out: 60 of its 60 values are different, as names are." in data.notes
    assert "Column 'one' is left out: its values are all 'x'." in data.notes
    fill = data.columns[2].fill
    assert f"Column 'wage' has no value in 1 of 60 rows: they count as the median, {fill:.4g}." in data.notes


def test_the_label_is_known_by_its_name():
    data = features_of(columns(label=["a", "b"] * 30, default=None), "credit", Choice())
    assert data.notes[0] == "The labels are column 'label', by its name."


def test_rows_say_of_which_split_they_are():
    split = ["test" if row < 10 else "validation" if row < 20 else "train" for row in range(ROWS)]
    data = features_of(columns(split=split), "credit", Choice("default"))
    assert [len(data.splits[name]) for name in ("train", "validation", "test")] == [40, 10, 10]
    assert [one.name for one in data.columns] == ["age", "job"]
    other = features_of(columns(split=["left", "right"] * 30), "credit", Choice("default"))
    assert "split" in [one.name for one in other.columns]


def test_a_few_rows_without_a_label_are_dropped():
    labels = [None, *columns().columns["default"][1:]]
    data = features_of(columns(default=labels), "credit", Choice("default"))
    assert data.notes[0] == "1 of 60 rows had no label: dropped."
    assert sum(len(split) for split in data.splits.values()) == 59
    with pytest.raises(
        BadData, match=r"^credit.csv: 1 of 60 rows has no label \(row 1\): fix or remove them"
    ):
        features_of(columns(default=labels), "credit", Choice("default", strict=True))


def test_features_may_be_named_and_rows_limited():
    data = features_of(columns(), "credit", Choice("default", features="age", limit=20, resample=True))
    assert [one.name for one in data.columns] == ["age"]
    assert len(data.splits["train"]) == 20
    assert data.notes[1] == "Only 20 of 42 training rows are used (--limit)."
    assert data.notes[-1].endswith("(--resample).")
    assert data.splits["train"].resample


def test_statistics_are_of_the_training_rows_alone():
    split = ["test"] * 10 + ["validation"] * 10 + ["train"] * 40
    ages = ["1000"] * 20 + [str(row) for row in range(40)]
    data = features_of(columns(split=split, age=ages), "credit", Choice("default"))
    assert data.columns[0].mean == 19.5
    assert torch.equal(data.task.columns.background[:, 0].abs() < 2, torch.ones(40, dtype=torch.bool))


THREE = "its columns are age, job and default"
NAMES = [f"Ann {row}" for row in range(ROWS)]


@pytest.mark.parametrize(
    ("table", "choice", "said"),
    [
        (columns(), Choice("nothing"), f"credit.csv has no column 'nothing' for --label: {THREE}"),
        (
            columns(),
            Choice(),
            "cannot tell which column of credit.csv holds the labels: name it with --label "
            "(its columns are age, job and default)",
        ),
        (
            columns(default=["no"] * ROWS),
            Choice("default"),
            "credit.csv: all 60 labels in column 'default' are 'no': expected two classes or more",
        ),
        (
            columns(default=list(range(ROWS))),
            Choice("default"),
            "credit.csv: column 'default' has 60 different numbers: expected classes, as regression is not "
            "done (cut it into a few classes, or name another --label)",
        ),
        (
            columns(default=["a", "b", *["c"] * (ROWS - 2)]),
            Choice("default"),
            "credit.csv: expected at least 3 rows of every class to split them, but 2 of 3 classes have "
            "fewer ('a' has 1): add rows, or a column 'split' that says train, validation or test",
        ),
        (
            columns(age=NAMES, job=None),
            Choice("default"),
            "credit.csv: expected a column to learn from, but there is none. Column 'age' is left out: 60 of "
            "its 60 values are different, as names are.",
        ),
        (
            columns(age=None, job=None),
            Choice("default"),
            "credit.csv: expected a column to learn from, but there is none. It has no other column than the "
            "labels.",
        ),
        (
            columns(name=NAMES),
            Choice("default", "age,name"),
            "credit.csv: column 'name' cannot be a feature (60 of its 60 values are different, as names are)"
            ": leave it out",
        ),
        (
            columns(),
            Choice("default", "age,wage"),
            f"credit.csv has no column 'wage' for --features: {THREE}",
        ),
        (
            columns(),
            Choice("default", "default"),
            "credit.csv: column 'default' holds the labels: leave it out of --features",
        ),
    ],
)
def test_whatever_is_wrong_is_one_sentence(table, choice, said):
    with pytest.raises(BadData) as caught:
        features_of(table, "credit", choice)
    assert str(caught.value) == said


def test_a_limit_below_the_number_of_classes_is_refused():
    labels = ["abc"[row % 3] for row in range(ROWS)]
    with pytest.raises(
        BadSetting, match=r"^expected limit to be at least the number of classes \(3\), but got 2$"
    ):
        features_of(columns(default=labels), "credit", Choice("default", limit=2))


def test_a_thousand_columns_are_enough():
    many = {f"x{place}": [float(row % (place + 2)) for row in range(ROWS)] for place in range(1001)}
    with pytest.raises(
        BadData, match=r"^credit.csv has 1,003 columns to learn from: name at most 1,000 of them"
    ):
        features_of(columns(**many), "credit", Choice("default"))
