"""Whatever libraries return is read, and what cannot be meant is one sentence."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting, Failed
from holdfast.study.recipe.answers import probabilities_of, scores_of
from tests.study.recipe.recipes import TEST, X, explain, train

TARGET = torch.tensor([0, 1, 1])
TABLE = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    "raw",
    [
        [0.25, 0.5, 1.0],
        np.array([[0.25], [0.5], [1.0]], "f4"),
        torch.tensor([[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]], requires_grad=True),
        np.array([[0.75, 0.2501], [0.5, 0.5], [-1e-6, 1.0]]).round(4),
    ],
)
def test_probabilities_in_every_form(raw):
    found = probabilities_of(raw, 3)
    assert np.allclose(found, [[0.75, 0.25], [0.5, 0.5], [0, 1]], atol=2e-4)
    assert found.dtype == torch.float64


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (
            [[0.2, 0.9]] * 3,
            "predict: expected probabilities that sum to 1, but those of row 0 sum to 1.1: ret",
        ),
        (
            [2.0, 0.5, 0.1],
            "predict: expected probabilities between 0 and 1, but got 2: return what predict_pr",
        ),
        ([0.5, 0.5], "predict: expected a probability for each of 3 rows and each class, but got shape (2,)"),
        (
            np.ones((3, 1, 2)),
            "predict: expected a probability for each of 3 rows and each class, but got sha",
        ),
        ("abc", "expected what predict returns to be an array of numbers, but got something else"),
    ],
)
def test_what_are_no_probabilities_is_one_sentence(raw, said):
    with pytest.raises(BadSetting) as told:
        probabilities_of(raw, 3)
    assert str(told.value).startswith(said)


def test_nan_is_the_seeds_own_trouble():
    with pytest.raises(Failed, match=r"^predict returned probabilities that are not all finite numbers$"):
        probabilities_of([0.5, np.nan, 0.5], 3)
    with pytest.raises(Failed, match=r"^explain, shap returned scores that are not all finite numbers$"):
        scores_of({"shap": [[np.inf, 1.0]] * 3}, TARGET, 2, None)


@pytest.mark.parametrize("raw", [TABLE, TABLE.tolist(), torch.tensor(TABLE, requires_grad=True), list(TABLE)])
def test_scores_in_every_form(raw):
    ((name, (scores, mask)),) = scores_of(raw, TARGET, 2, None).items()
    assert name == "scores"
    assert np.array_equal(scores, TABLE)
    assert mask.all()


def test_of_scores_for_each_class_the_explained_one_counts():
    each = np.stack([TABLE, TABLE + 10], -1)
    wanted = [[0, 1], [12, 13], [14, 15]]
    for raw in (each, torch.tensor(each), [TABLE, TABLE + 10]):
        assert scores_of(raw, TARGET, 2, None)["scores"][0].tolist() == wanted


def test_explanations_of_shap_are_read():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import shap
    model, rows = train(0), X[TEST][:5]
    own = shap.LinearExplainer(model[1], np.zeros((1, 6)))(model[0].transform(rows))
    found = scores_of({"shap": own}, torch.ones(5).long(), 2, None)["shap"][0]
    assert np.allclose(found, own.values)
    moved = scores_of(explain(model, rows, np.ones(5)), torch.ones(5).long(), 2, None)["scores"][0]
    assert np.allclose(moved - moved.mean(0), found - found.mean(0)), "another background"


def test_rows_of_different_lengths():
    ragged = [[1.0], [2.0, 3.0], [4.0]]
    scores, mask = scores_of(ragged, TARGET, 2, None)["scores"]
    assert scores.tolist() == [[1, 0], [2, 3], [4, 0]]
    padded = np.array([[1, 9, 9], [2, 3, 9], [4, 9, 9]])
    assert torch.equal(scores_of(padded, TARGET, 2, mask)["scores"][0], scores)
    assert torch.equal(scores_of(ragged, TARGET, 2, mask)["scores"][0], scores)
    hole = torch.tensor([[True, False], [True, True], [False, True]])
    assert scores_of(ragged, TARGET, 2, hole)["scores"][0].tolist() == [[1, 0], [2, 3], [0, 4]]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (TABLE[:2], "explain: expected scores for 3 rows, but got them for 2"),
        ({}, "explain: expected scores for each row and position, but got an empty mapping"),
        (
            {"lime": TABLE[:, :1]},
            "explain, lime: expected 2 scores for row 0, one for each position, but got 1",
        ),
        (
            [[1.0], [2.0, 3.0], [4.0]],
            "explain: expected 2 scores for row 0, one for each position, but got 1",
        ),
        (np.zeros((3, 3)), "explain: expected 2 scores for row 0, one for each position, but got 3"),
        (np.zeros((3, 2, 4)), "expected explain of shape (examples, positions), but got (3, 2, 4)"),
        (SimpleNamespace(), "expected explain to be a"),
    ],
)
def test_what_are_no_scores_is_one_sentence(raw, said):
    with pytest.raises(BadSetting) as told:
        scores_of(raw, TARGET, 2, torch.ones(3, 2).bool())
    assert str(told.value).startswith(said)
