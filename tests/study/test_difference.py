from dataclasses import replace

import pytest

from holdfast.study.difference import difference
from holdfast.study.plan import GROWS, Plan
from tests.study.test_plan import CHANGES, FOLDED, FULL


@pytest.mark.parametrize("plan", [FULL, FOLDED])
def test_a_plan_is_no_other_than_itself(plan: Plan) -> None:
    assert difference(Plan.from_json(plan.to_json()), plan) is None


@pytest.mark.parametrize("name", [name for name in CHANGES if name not in GROWS])
def test_the_difference_is_named(name: str) -> None:
    told = difference(FULL, replace(FULL, **{name: CHANGES[name]}))
    assert told is not None
    assert told.startswith(f"{name}: ")
    assert " there, " in told
    assert told.endswith(" here")


@pytest.mark.parametrize("name", GROWS)
def test_a_run_of_another_size_is_no_other_run(name: str) -> None:
    assert difference(FULL, replace(FULL, **{name: CHANGES[name]})) is None


def test_a_difference_says_both_values() -> None:
    assert difference(FULL, replace(FULL, folds=9)) == f"folds: {FULL.folds} there, 9 here"
