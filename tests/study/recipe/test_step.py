"""One seed: what is asked of its model, and what the file says."""

import numpy as np
import pytest

from holdfast.core.errors import BadSetting
from holdfast.study.recipe.contract import recipe_of
from holdfast.study.recipe.data import given
from holdfast.study.recipe.kept import Kept
from holdfast.study.recipe.step import Asked, Step
from tests.study.recipe import recipes

WORDS = recipes.Words()


def step(folder, source=recipes, **changes):
    roles = ("train", "predict", "explain", "remove")
    recipe = recipe_of({role: getattr(source, role) for role in roles} | changes)
    return Step(recipe, given(source.data()), 10, Kept(folder))


def test_rows_of_different_lengths_have_their_own_positions(tmp_path):
    one = step(tmp_path, WORDS)
    one.run(0)
    asked = Asked.read(one.kept)
    lengths = [len(one.given.tokens[row]) for row in asked.rows.tolist()]
    assert asked.mask.sum(1).tolist() == lengths
    assert asked.signed == {"weights": True}
    assert asked.target.tolist() == [
        ["no", "yes"].index(one.given.labels[row]) for row in asked.rows.tolist()
    ]
    own = one.kept.tensors("seed-0")
    fall = own["drop/by/weights"][np.array(lengths) > 1]
    assert (fall > 0).all(), "without its word the prediction falls"


def test_how_far_a_seed_is_is_told(tmp_path):
    heard = []
    step(tmp_path).run(0, heard.append)
    assert heard == [0.5, 0.7, 0.9]


def test_the_target_is_an_array_of_numbers(tmp_path):
    seen = []

    def explain(model, inputs, target):
        seen.append((inputs.shape, target.dtype, target.shape))
        return recipes.explain(model, inputs, target)

    step(tmp_path, explain=explain).run(0)
    assert seen == [((10, 6), np.dtype("int64"), (10,))]


def test_explanations_of_different_widths_are_refused(tmp_path):
    def explain(model, inputs, target):
        table = recipes.explain(model, inputs, target)
        return {"a": table, "b": table[:, :3]}

    rows = given({"inputs": recipes.X[:20]})
    recipe = recipe_of({"train": recipes.train, "predict": recipes.predict, "explain": explain})
    with pytest.raises(BadSetting, match=r"^explain, b: expected as many scores for each row as the other"):
        Step(recipe, rows, 10, Kept(tmp_path)).run(0)
    assert not list(tmp_path.iterdir())
