"""The plan of a recipe: a run grows by its seeds, and by nothing else."""

from dataclasses import replace

import pytest

from holdfast.core.errors import BadRun, BadSetting
from holdfast.study.difference import difference
from holdfast.study.plan import Plan
from holdfast.study.recipe.plan import RecipePlan

PLAN = RecipePlan("mine.py:mine", {"mine.py:mine": "ab" * 32}, ("train", "predict", "explain"), "cd" * 32)


def test_a_plan_is_read_back_as_it_was():
    assert RecipePlan.from_json(PLAN.to_json()) == PLAN
    assert PLAN.name.startswith("mine.py-mine-")


def test_what_identifies_a_run():
    assert difference(PLAN, replace(PLAN, seeds=20)) is None
    assert PLAN.name == replace(PLAN, seeds=20).name
    assert difference(PLAN, replace(PLAN, instances=5)) == "instances: 200 there, 5 here"
    other = replace(PLAN, outside={"mine.py:mine": "ef" * 32})
    assert difference(PLAN, other) == "the code of mine.py:mine: SHA-256 abababab… there, efefefef… here"
    assert PLAN.name != other.name


def test_other_plans_are_refused():
    with pytest.raises(BadRun, match=r"^the run is not of a recipe$"):
        RecipePlan.from_json({"study": "audit"})
    with pytest.raises(BadRun, match=r"schema 9, expected 1"):
        RecipePlan.from_json(PLAN.to_json() | {"schema": 9})
    with pytest.raises(BadRun, match=r"^plan.json is not a plan"):
        RecipePlan.from_json({"study": "recipe", "schema": 1})
    with pytest.raises(
        BadRun, match=r"^the run is of a recipe: this needs a run of models that holdfast trains$"
    ):
        Plan.from_json(PLAN.to_json())
    for changes in ({"seeds": 1}, {"instances": 0}, {"seeds": 10**6}):
        with pytest.raises(BadSetting, match=r"^expected --"):
            replace(PLAN, **changes)
