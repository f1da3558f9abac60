"""Whatever holds rows is taken, known by what it holds, and read back as it was."""

import numpy as np
import pandas
import pytest
import torch

from holdfast.core.errors import BadData
from holdfast.study.recipe.data import Given, given, given_file, read_given, take

ROWS = np.arange(12.0).reshape(4, 3)
FORMS = [
    ROWS,
    torch.tensor(ROWS),
    pandas.DataFrame(ROWS, columns=list("abc")),
    list("wxyz"),
    {"ids": ROWS, "mask": ROWS > 2},
    [[1], [2, 3], [4], []],
]


@pytest.mark.parametrize("inputs", FORMS, ids=lambda form: type(form).__name__)
def test_rows_are_taken_in_the_form_they_have(inputs):
    some = take(inputs, [2, 0])
    assert type(some) is type(inputs)
    found = given((inputs, [0, 1, 0, 1]))
    assert len(found) == 4
    both = pandas.DataFrame(ROWS).iloc[[2, 0]].to_numpy()
    if type(inputs) in (np.ndarray, torch.Tensor, pandas.DataFrame):
        assert np.array_equal(np.asarray(some), both)


def test_what_is_taken_is_a_copy():
    take(ROWS, [0, 1])[:] = 9
    assert ROWS[0, 0] == 0


@pytest.mark.parametrize("inputs", [ROWS, ROWS.astype("i2"), torch.tensor(ROWS), ["a", "b b", "", "é"]])
def test_what_is_written_is_read_back_to_the_bit(tmp_path, inputs):
    whole = given({"inputs": inputs, "labels": list("abab"), "tokens": [["x"], ["y", "z"], [], ["w"]]})
    assert whole.portable
    again = read_given(tmp_path / "d", whole.write(tmp_path / "d"))
    assert again.sha256 == whole.sha256
    assert (again.labels, again.tokens) == (whole.labels, whole.tokens)


def test_tables_are_not_written_but_all_else_is(tmp_path):
    whole = given({"inputs": FORMS[2], "labels": [True, False, True, True], "mask": ROWS > 3})
    assert not whole.portable
    whole.write(tmp_path / "d")
    again = read_given(tmp_path / "d")
    assert (again.inputs, again.labels) == ([0, 1, 2, 3], (True, False, True, True))
    assert torch.equal(again.mask, whole.mask)


def test_labels_are_columns_names_or_in_order():
    def truth(labels, columns, **more):
        return given({"inputs": labels, "labels": labels, **more}).truth(columns).tolist()

    assert truth([0, 2, 1], 3) == [0, 2, 1]
    assert truth([0, 2], 3) == [0, 2], "a class that no row has"
    assert truth([1, 3, 5], 3) == [0, 1, 2]
    assert truth([True, False], 2) == [1, 0]
    assert truth(np.array([1.0, 0.0]), 2) == [1, 0]
    assert truth(["yes", "no"], 2) == [1, 0]
    assert truth(["yes", "no"], 3, classes=["no", "maybe", "yes"]) == [2, 0]
    assert truth([1, 0], 2, classes=["benign", "malignant"]) == [1, 0]
    assert truth(["10", "9"], 2, classes=["9", "10"]) == [1, 0]
    assert given({"inputs": [1, 2], "labels": ["b", "a"]}).named(2) == ("a", "b")
    assert given({"inputs": [1, 2]}).named(2) == ("0", "1")


WRONG = [
    ([1, 2, 3], 'expected data of a recipe to be (inputs, labels), or {"inputs": …'),
    ({"labels": [1]}, 'expected data of a recipe to be (inputs, labels), or {"inputs": …'),
    ({"inputs": [1], "lables": [1]}, "but got 'lables' too"),
    (([1, 2], [1]), "expected labels for 2 rows of inputs, but got 1"),
    (([], []), "the recipe's data have no rows: expected some to explain"),
    (([1, 2], [[1], [2]]), "expected labels to be one for each row, but got shape (2, 1)"),
    ({"inputs": [1], "tokens": ["a b"]}, "expected tokens to be a list of words for each row, but got texts"),
    ({"inputs": [1], "tokens": [["a"]], "names": ["a"]}, "expected tokens or names, but got both"),
    ({"inputs": [1], "mask": [True]}, "expected mask of shape (rows, positions), but got (1,)"),
]


@pytest.mark.parametrize(("raw", "said"), WRONG)
def test_a_mistake_is_one_sentence(raw, said):
    with pytest.raises(BadData) as told:
        given(raw)
    assert said in str(told.value)


def test_labels_that_no_column_has_are_named():
    rows = given(([1, 2, 3], ["a", "b", "c"]))
    with pytest.raises(
        BadData, match=r"^expected labels among 2 classes, .*, but got 'a': give the names of"
    ):
        rows.truth(2)
    with pytest.raises(BadData, match=r"^expected 3 classes, as predict returns, but got 2$"):
        Given([1], ("a",), ("a", "b")).truth(3)


def test_a_file_of_arrays_is_data(tmp_path):
    np.savez(tmp_path / "rows.npz", inputs=ROWS, labels=np.array([0, 1, 1, 0]), other=np.zeros(3))
    found = given_file(tmp_path / "rows.npz")
    assert np.array_equal(found.inputs, ROWS)
    assert found.labels == (0, 1, 1, 0)
    np.savez(tmp_path / "none.npz", labels=np.zeros(3))
    with pytest.raises(BadData, match=r"but got labels$"):
        given_file(tmp_path / "none.npz")


@pytest.mark.parametrize("name", ["names", "classes"])
def test_a_text_is_no_list_of_names(name):
    with pytest.raises(BadData, match=r"^expected names and classes to be lists, but got the text 'ab'$"):
        given({"inputs": [[1.0, 2.0]], name: "ab"})
