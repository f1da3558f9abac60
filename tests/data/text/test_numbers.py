"""Texts as ids: every id with each word it is shown as, and whatever is wrong in one sentence."""

from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.perturb.typos import Typos
from holdfast.data.source import Source, digest, load, source_of
from holdfast.data.store import load_dataset
from holdfast.data.tables import Table
from holdfast.data.text.numbers import NumberColumns, dataset_of
from holdfast.testing.dataset import check_dataset

IDS = [[7, 5, 9], [5], [7, 9], [9, 5], [7], [5, 7]]
WORDS = [["Good", "film", "."], ["film"], ["good", "."], [".", "film"], ["good"], ["film", "good"]]
ROWS = {"ids": IDS, "tokens": WORDS, "label": [1, 0, 1, 0, 1, 0]}


def made(columns, **said):
    known = {name: name for name in ("mask", "tokens") if name in columns}
    return dataset_of(
        Table(Path("t"), columns), NumberColumns("ids", **({"whole": True} | known | said)), "t"
    )


def refused(columns, **said):
    with pytest.raises(BadData) as told:
        made(columns, **said)
    return str(told.value)


def test_ids_and_the_words_they_are_shown_as():
    data = made(ROWS, classes=("bad", "good"))
    assert data.tokens("test", 0) == ["Good", "film", "."]
    assert data.tokens("test", 2) == ["good", "."]
    test = data.splits["test"]
    batch = test.batch(torch.arange(6))
    assert (data.task.ids[batch.inputs][batch.mask]).tolist() == [one for row in IDS for one in row]
    assert data.task.classes == ("bad", "good")
    assert test.targets.tolist() == ROWS["label"]
    assert [len(data.splits[name]) for name in ("train", "validation")] == [0, 0]
    assert data.notes == ("Nothing is trained, so every row is a test row.",)


def test_there_and_back(tmp_path):
    data = made(ROWS)
    data.save(tmp_path / "data.safetensors")
    again = load_dataset(tmp_path / "data.safetensors")
    assert torch.equal(again.task.ids, data.task.ids)
    assert again.tokens("test", 3) == data.tokens("test", 3)


def test_without_words_ids_are_shown():
    assert made({name: ROWS[name] for name in ("ids", "label")}).tokens("test", 0) == ["7", "5", "9"]


def test_a_mask_says_which_are_there():
    padded = {"ids": [[7, 5, 0], [5, 0, 0]], "mask": [[1, 1, 0], [True, False, False]], "label": [1, 0]}
    data = made(padded)
    assert data.splits["test"].lengths.tolist() == [2, 1]
    shown = padded | {"tokens": [["a", "b"], ["c", "pad", "pad"]]}
    assert made(shown).tokens("test", 1) == ["c"]


def test_as_columns_tensors_or_arrays():
    ids = torch.tensor([[7, 5, 0], [5, 0, 0]])
    data = {"ids": ids, "mask": (ids > 0).numpy(), "label": [1, 0]}
    source = source_of(data, classes=["bad", "good"])
    assert (source.ids, source.mask, source.tokens, source.classes) == ("ids", "mask", None, ("bad", "good"))
    assert source_of(data, text="words").ids is None
    whole = source_of(data, whole=True)
    assert load(whole).splits["test"].lengths.tolist() == [2, 1]
    assert digest(whole) != digest(source)


def test_with_enough_rows_they_are_divided():
    many = {"ids": [[1, 2 + row % 2, row] for row in range(30)], "label": [row % 2 for row in range(30)]}
    data = load(source_of(many))
    assert [len(data.splits[name]) for name in ("train", "validation", "test")] == [20, 4, 6]
    check_dataset(data, again=lambda: load(source_of(many)))


def test_long_texts_are_cut_and_counted():
    data = dataset_of(Table(Path("t"), ROWS), NumberColumns("ids", whole=True), "t", max_length=2)
    assert int(data.splits["test"].lengths.max()) == 2
    assert "1 of 6 texts were cut to their first 2 tokens." in data.notes


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ids": [[1, 2], "x"]}, "t: expected a list of ids, from 0, in row 2, but got 'x'"),
        ({"ids": [[1, -2], [1]]}, "t: expected a list of ids, from 0, in row 1, but got '[1, -2]'"),
        ({"ids": [[1], []]}, "t: row 2 has no ids: expected at least one"),
        (
            {"mask": [[1, 1], [1]]},
            "t: expected true or false for each of the 1 ids in the mask of row 1",
        ),
        (
            {"ids": [[1, 2], [1, 2]], "mask": [[1, 1], [0, 1]]},
            "t: the mask of row 2 hides ids before others: expected padding at the end",
        ),
        ({"tokens": [["a"], ["b", "c"]]}, "t: expected a token for each of the 1 ids of row 2, but got 2"),
        ({"label": [1, None]}, "t: row 2 has no label: fix or remove it"),
        (
            {"ids": [[1, 0, 0], [1, 2, 0]]},
            "t: all rows have 3 ids, and some end in 0 more than once, as after padding: give a mask, or "
            "lists without padding",
        ),
        (
            {"label": ["neg", "pos"]},
            "t: which logit is of which class? Name the classes of column 'label' in the order of the "
            "logits, classes=(…), or give labels as their numbers, from 0",
        ),
        ({"label": None}, "cannot tell which column of t holds the labels: name it, label=…"),
    ],
)
def test_what_is_wrong(changes, sentence):
    columns = {"ids": [[1], [2]], "label": [1, 0]} | changes
    assert refused({name: own for name, own in columns.items() if own is not None}) == sentence


def test_classes_that_are_not_named():
    said = refused({"ids": [[1], [2]], "label": ["neg", "neutral"]}, classes=("neg", "pos"))
    assert said == (
        "t: 1 of 2 labels in column 'label' are none of the classes neg and pos ('neutral' is one): name "
        "them all"
    )
    assert (
        refused(ROWS, mask="gone") == "t has no column 'gone' for mask: its columns are ids, tokens and label"
    )


def test_what_needs_letters_or_a_tokenizer_is_refused():
    data = made(ROWS)
    with pytest.raises(BadData, match="came as ids of a tokenizer that is not known here"):
        data.read(["a new text"])
    with pytest.raises(BadSetting) as told:
        Typos().perturb(data.splits["test"].batch(torch.arange(2)), data)
    assert str(told.value) == (
        "typos: expected words, but 't' came as ids of a tokenizer that is not known here: choose dropped, "
        "swapped or noise"
    )


def test_a_source_of_texts_is_known_by_what_it_was():
    assert not {"ids", "mask", "tokens", "classes", "whole"} & set(_identity(Source("sst2")))


def _identity(source):
    from holdfast.data.source import identity

    return identity(source)
