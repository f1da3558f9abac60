"""What to do next names what goes on with the run."""

from dataclasses import replace

import pytest

from holdfast.measure.question import Question
from holdfast.study.recipe.advice import ANOTHER, DRAW, recipe_advice
from holdfast.study.recipe.plan import RecipePlan
from holdfast.study.unasked import lacking
from tests.study.answers import row

PLAN = RecipePlan("mine.py", {}, ("train",), "0", 10)
COMMAND = "holdfast audit --recipe mine.py --seeds 10"
ASKED = Question("survives", "undecided", 0.6, 0.3, 0.8, 0.4, ("does not hold", "shaky"))


def told(verdict, questions=(), settle=None, members=10, instances=200, plan=PLAN):
    one = replace(row(), verdict=verdict, questions=questions, settle=settle, between=("shaky", "holds"))
    return recipe_advice(one, plan, members, instances, COMMAND)


@pytest.mark.parametrize(
    ("said", "about"),
    [
        (DRAW, {"verdict": "undecided", "members": 1}),
        ("Nothing more to do.", {"verdict": "holds"}),
        (
            "Give remove, and the rest is asked.",
            {"verdict": "holds", "questions": (lacking("matters", "remove"),)},
        ),
        (ANOTHER, {"verdict": "does not matter"}),
        ("--seeds 20", {"verdict": "undecided", "questions": (ASKED,)}),
        (
            "about 34 in all (those trained are kept; ",
            {"verdict": "undecided", "questions": (ASKED,), "settle": 34},
        ),
        ("so treat it as “shaky”", {"verdict": "undecided", "questions": (ASKED,), "settle": 0}),
        ("Give more rows: only 30", {"verdict": "undecided", "questions": (ASKED,), "instances": 30}),
        ("Train the models longer", {"verdict": "not learned"}),
    ],
)
def test_every_answer_has_its_advice(said, about):
    assert said in told(**about)
