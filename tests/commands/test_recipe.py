"""Where rows come from, and what a recipe is made of; the whole is in tests/test_recipes.py."""

import numpy as np
import pytest

from holdfast.commands.recipe import recipe_given, refuse, rows_of
from holdfast.core.errors import BadSetting
from tests.study.recipe import recipes

THREE = {"train": recipes.train, "predict": recipes.predict, "explain": recipes.explain}


def test_rows_are_passed_returned_or_read(tmp_path):
    recipe = recipe_given(THREE)
    passed = rows_of(recipe, recipes.data())
    assert (len(passed.given), passed.called) == (80, False)
    called = rows_of(recipe_given(THREE, recipes.data), recipes.data)
    assert (called.given.sha256, called.name, called.called) == (passed.given.sha256, None, True)
    np.savez(tmp_path / "rows.npz", inputs=np.ones((3, 2)), labels=np.array([0, 1, 0]))
    read = rows_of(recipe, tmp_path / "rows.npz")
    assert (len(read.given), read.called) == (3, False)
    named = recipe_given(THREE, lambda name="none": ([name, name], [0, 1]))
    assert rows_of(named, "test").given.inputs == ["test", "test"]


def test_what_is_no_recipe_is_one_sentence():
    with pytest.raises(
        BadSetting, match=r"^expected recipe to be written ./file.py:name or .* but got type dict"
    ):
        recipe_given({"recipe": {"train": len}})
    with pytest.raises(
        BadSetting, match=r"^expected a recipe without a and b: it reads, trains and explains by "
    ):
        refuse({"a": 1, "b": "x", "c": None})
