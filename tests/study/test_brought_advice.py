"""What to do about scores that somebody brought never names a command."""

from dataclasses import replace
from typing import Any

import pytest

from holdfast.study.brought_advice import ANOTHER, LEARN, REPAIR, brought_advice
from holdfast.study.unasked import lacking
from tests.study.answers import asked, row


def undecided(name: str = "survives", settle: int | None = 14, **changes: Any) -> Any:
    questions = tuple(
        replace(
            one, answer="undecided" if one.name == name else "passed", **changes if one.name == name else {}
        )
        for one in asked("holds")
    )
    return row(verdict="undecided", questions=questions, settle=settle)


@pytest.mark.parametrize(
    ("one", "members", "instances", "do"),
    [
        (row(), 10, 200, "Nothing more to do."),
        (row(verdict="not learned"), 10, 200, LEARN),
        (row(verdict="says nothing"), 10, 200, ANOTHER),
        (row(verdict="does not matter"), 10, 200, ANOTHER),
        (row(verdict="shaky"), 10, 200, REPAIR),
        (row(verdict="does not hold"), 10, 200, REPAIR),
        (undecided(), 5, 200, "Bring the scores of more seeds, about 14 in all."),
        (undecided(settle=None), 2, 200, "Bring the scores of more seeds, 10 in all."),
        (undecided(settle=None), 8, 200, "Bring the scores of more seeds, 16 in all."),
        (undecided(settle=0), 10, 60, "Bring more examples: only 60 can be judged, and 100 are needed."),
        (undecided(settle=10), 10, 60, "Bring more examples: only 60 can be judged, and 100 are needed."),
        (undecided("learned", None, value=0.4, limit=0.5), 5, 200, LEARN),
        (
            undecided("learned", None, value=0.6, limit=0.5),
            5,
            200,
            "Bring the scores of more seeds, 10 in all.",
        ),
        (
            undecided(settle=0),
            10,
            200,
            f"More than 50 seeds would be needed to settle it, so treat it as “shaky”. {REPAIR}",
        ),
        (
            undecided(),
            1,
            200,
            "Train the model again with other seeds, explain the same examples for the same"
            " classes with each, "
            "and bring all their scores: 10 seeds can say whether it holds.",
        ),
    ],
)
def test_what_to_do(one: Any, members: int, instances: int, do: str) -> None:
    assert brought_advice(one, members, instances) == do
    assert "holdfast" not in do


def test_what_holds_as_far_as_asked_wants_the_rest() -> None:
    left = lacking("learned", "labels"), *asked("holds")[1:3], lacking("matters", "predict")
    assert brought_advice(row(questions=left), 10, 200) == "Give labels and predict, and the rest is asked."
