"""The contract suite passes what keeps the contract, and names what does not."""

import numpy as np
import pytest

from holdfast.study.recipe.contract import Recipe
from holdfast.testing.recipe import check_recipe
from tests.study.recipe import recipes

ROLES = ("train", "predict", "explain", "remove", "untrained", "save", "load", "data")


def recipe(source=recipes, **changes):
    return Recipe(**{role: getattr(source, role, None) for role in ROLES} | changes)


@pytest.mark.parametrize("source", [recipes, recipes.BOOSTER, recipes.Words()])
def test_recipes_of_these_tests_pass(source):
    check_recipe(recipe(source))


def test_one_without_data_is_given_some():
    check_recipe(recipe(recipes.KERAS), (recipes.X[:8], recipes.Y[:8]))


def subtracts(model, inputs):
    inputs -= 1.0
    return recipes.predict(model, inputs + 1.0)


BROKEN = {
    "expected the same seed": {"train": lambda seed: recipes.train(np.random.default_rng().integers(9**9))},
    "are the same bits": {"train": lambda seed: recipes.train(0)},
    "predict: a row depends": {"predict": lambda m, x: recipes.predict(m, x - x.mean(0))},
    "the scores of a row depend": {"explain": lambda m, x, t: recipes.explain(m, x - x.mean(0), t)},
    "predict changes its inputs": {"predict": subtracts},
    "keeping everything changes": {"remove": lambda x, keep: np.zeros_like(x)},
    "changes no prediction": {"remove": lambda x, keep: x},
    "predicts otherwise": {"load": lambda folder: recipes.train(5)},
}


@pytest.mark.parametrize("said", BROKEN)
def test_a_broken_promise_is_named(said):
    with pytest.raises(AssertionError, match=said):
        check_recipe(recipe(**BROKEN[said]))
