from types import SimpleNamespace

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.data.scores.tokens import tokens_of, tokens_of_shap

MASK = torch.tensor([[True, True, False], [True, False, True]])


@pytest.mark.parametrize(
    "given",
    [
        [["a", "b"], ["c", "e"]],
        (("a", "b"), np.array(["c", "e"])),
        [["a", "b", "[PAD]"], ["c", "d", "e"]],
        np.array([["a", "b"], ["c", "e"]]),
        np.array([[b"a", b"b"], [b"c", b"e"]]),
    ],
)
def test_words_are_those_of_the_positions_that_exist(given):
    assert tokens_of(given).of(MASK) == (("a", "b"), ("c", "e"))


def test_one_list_of_names_is_for_all():
    named = tokens_of(np.array(["age", "income", "city"]))
    assert named.lengths is None
    assert named.of(MASK) == (("age", "income"), ("age", "city"))


def test_rows_of_an_array_end_where_only_empty_text_follows():
    assert tokens_of(np.array([["a", "", "b"], ["c", "", ""]])).lengths.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("data", "names", "expected"),
    [
        (np.zeros((2, 3)), ["x", "y", "z"], (("x", "y"), ("x", "z"))),
        ((np.array(["a", "b"]), np.array(["c", "d"])), None, (("a", "b"), ("c", "d"))),
        (np.zeros((2, 3)), None, None),
    ],
)
def test_words_and_names_that_shap_carries(data, names, expected):
    one = SimpleNamespace(values=0, base_values=0, data=data, feature_names=names)
    for given in (one, [one, one]):
        carried = tokens_of_shap(given)
        assert (carried if carried is None else carried.of(MASK)) == expected
    assert tokens_of_shap(np.zeros((2, 2, 3))) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "word",
            (
                "expected tokens to be a list of words for each example, or one list of names "
                "for all, but got str"
            ),
        ),
        (
            [1, 2],
            (
                "expected tokens to be a list of words for each example, or one list of names "
                "for all, but got something else"
            ),
        ),
        (
            [["a"], "b"],
            (
                "expected tokens to be a list of words for each example, or one list of names "
                "for all, but got something else"
            ),
        ),
        ([["a", "b"]], "expected tokens of 2 examples, but got 1"),
        (
            [["a", "b"], ["c"]],
            "expected as many tokens as positions, but example 1 has 1 tokens and 2 positions",
        ),
    ],
)
def test_tokens_that_do_not_fit_are_one_clear_sentence(given, message):
    with pytest.raises(BadSetting) as caught:
        tokens_of(given).of(MASK)
    assert str(caught.value) == message
