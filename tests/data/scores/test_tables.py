from types import SimpleNamespace

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.data.scores.tables import Shap, table_of

DICE = np.random.default_rng(0)
SCORES = DICE.normal(size=(3, 4, 5))


def shap(values):
    return SimpleNamespace(values=values, base_values=0.0, data=None, feature_names=None)


def objects(rows):
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


@pytest.mark.parametrize(
    "given",
    [
        SCORES,
        SCORES.tolist(),
        torch.from_numpy(SCORES),
        torch.from_numpy(SCORES).requires_grad_(),
        list(SCORES),
        [torch.from_numpy(one) for one in SCORES],
        [shap(one) for one in SCORES],
        [[torch.from_numpy(row) for row in one] for one in SCORES],
    ],
)
def test_every_way_to_hold_scores_is_the_same_table(given):
    table = table_of(given)
    assert torch.equal(table.values, torch.from_numpy(SCORES))
    mask = torch.ones(4, 5, dtype=torch.bool) if table.mask is None else table.mask
    assert mask.all()


def test_small_floats_stay_small_and_the_callers_array_is_never_written_to():
    own = SCORES.astype(np.float32)
    table = table_of(own)
    assert table.values.dtype == torch.float32
    table.values.zero_()
    assert (own != 0).all()
    assert table_of(torch.zeros(2, 3, 4, dtype=torch.bfloat16)).values.dtype == torch.float32
    assert table_of(np.ones((2, 3, 4), dtype=int)).values.dtype == torch.float64


@pytest.mark.parametrize("shape", [list, objects, tuple])
def test_lists_of_different_lengths_are_padded(shape):
    rows = [[np.arange(3.0) + m, np.arange(1.0) - m] for m in range(2)]
    table = table_of([shape(one) for one in rows])
    assert table.mask.tolist() == [[True, True, True], [True, False, False]]
    for member, own in enumerate(rows):
        for row, mask, expected in zip(table.values[member], table.mask, own, strict=True):
            assert row[mask].tolist() == expected.tolist()
            assert not row[~mask].any()


def test_of_scores_for_each_class_those_of_the_target_are_taken():
    values = DICE.normal(size=(4, 5, 2))
    table = table_of([shap(values)] * 2, picks=np.array([1, 0, 0, 1]))
    expected = [values[row, :, target] for row, target in enumerate((1, 0, 0, 1))]
    assert np.array_equal(table.values[1], expected)
    ragged = objects([values[0], values[1, :2]])
    cut = table_of([shap(ragged)], picks=np.array([1]))
    assert cut.values[0, 1, :2].tolist() == values[1, :2, 1].tolist()


def test_explanations_of_shap_are_known_by_what_they_have():
    library = pytest.importorskip("shap")
    one = library.Explanation(values=SCORES[0], base_values=np.zeros(4), data=SCORES[0])
    assert isinstance(one, Shap)
    assert torch.equal(table_of([one, one]).values[1], torch.from_numpy(SCORES[0]))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            SCORES[0],
            "expected scores of shape (members, examples, positions), none of them 0, but got (4, 5): of a "
            "single member, give [scores]",
        ),
        (
            SCORES[None],
            "expected scores of shape (members, examples, positions), none of them 0, but "
            "got (1, 3, 4, 5): if "
            "the last axis is that of an embedding, sum over it first, scores.sum(-1)",
        ),
        (
            [torch.zeros(4, 5, 3)],
            "expected scores of member 0 of shape (examples, positions), but got (4, 5, 3):"
            " if the last axis is "
            "that of an embedding, sum over it first, scores.sum(-1)",
        ),
        (
            [SCORES[0], SCORES[0, :, :4]],
            "example 0 has 5 scores by member 0 and 4 by member 1: every member must explain the same "
            "positions, so pad them alike and give a mask",
        ),
        (
            [[[1, 2], [3]], [[1, 2]]],
            "expected scores of the same examples by every member, but member 0 has 2 examples and member 1 "
            "has 1",
        ),
        (
            [shap(SCORES)],
            "the scores of member 0 have a last axis for 5 classes: give target, the class of each example "
            "whose scores are to be judged, or probabilities, and it is the class they favour",
        ),
        ("text", "expected scores to be an array of numbers, but got something else (<U4)"),
        (7, "expected scores of shape (members, examples, positions), none of them 0, but got ()"),
        (
            [[["a"], [1, 2]]],
            (
                "expected scores of member 0 for example 0 to be an array of numbers, but got "
                "something else (<U1)"
            ),
        ),
        (
            [[[], []]],
            ("expected scores of shape (members, examples, positions), none of them 0, but got (1, 2, 0)"),
        ),
        ([], "expected scores of shape (members, examples, positions), none of them 0, but got (0,)"),
        (None, "expected scores to be an array of shape (members, examples, positions), but got NoneType"),
    ],
)
def test_whatever_is_no_table_is_one_clear_sentence(given, message):
    with pytest.raises(BadSetting) as caught:
        table_of(given)
    assert str(caught.value) == message


def test_a_target_that_has_no_scores():
    with pytest.raises(
        BadSetting, match=r"^expected target to be one of 5 classes for each of 3 examples in "
    ):
        table_of([shap(SCORES)], picks=np.array([0, 5, 1]))
