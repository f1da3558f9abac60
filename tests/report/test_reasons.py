"""Reasons on a terminal: what speaks for an item, who agrees, and nothing that a terminal would obey."""

import re

import pytest
from rich.console import Console

from holdfast.report.reasons import reasons_table
from holdfast.study.findings import Standing
from holdfast.study.reasons import Reason
from holdfast.study.recommendation import Recommendation, UserExample

ONE = Recommendation(
    item="The <b>Quiet</b> Harbour",
    wanted=9,
    reasons=(Reason("A Storm\x1b[31m", 0.5, 8), Reason("Tides", 0.2, 6)),
    against=(Reason("Deserts", 0.1, 7),),
    hold=0.83,
    low=0.71,
    high=0.9,
    verdict="shaky",
    strongest="A Storm\x1b[31m",
    agree=8,
    standing=Standing("untrained order", (("another input", "none"),), "In this run it is shaky (0.50)."),
)
BARE = Recommendation("Nothing", 1, (), (), None, None, None, "undecided", "Tides", 4)
LOST = Recommendation("Something", 3, (), (), 0.18, -0.28, 0.34, "does not hold", "Tides", 9)


def shown(example):
    console = Console(width=160, color_system=None)
    with console.capture() as said:
        console.print(reasons_table(example))
    return said.get()


@pytest.mark.parametrize(
    ("user", "said"), [("user 42", "user 42 has"), ("User_42", "User_42 has"), ("u42", "User u42 has")]
)
def test_a_user_is_not_called_a_user_twice(user, said):
    text = shown(UserExample("plays", "sasrec", "none", user, ("a",), 0, "gradient", False, (0, 1), (ONE,)))
    assert text.startswith(f"{said} a history of 1 item: a")
    assert "with most weight on A Storm" in text
    assert "It has no sign: an item with weight may also speak against the recommendation." in text


def test_a_user_reads_why():
    history = tuple(f"item {n}" for n in range(12))
    text = shown(
        UserExample(
            "plays",
            "sasrec",
            "none",
            "42",
            history,
            3,
            "signed_attention",
            True,
            tuple(range(10)),
            (ONE, BARE, LOST),
        )
    )
    assert "It has no sign" not in text
    assert "User 42 has a history of 15 items, of which the models see the latest 12: … item 4, " in text
    assert "1. The <b>Quiet</b> Harbour  (9 of 10 models recommend it)" in text
    assert "because of A Storm" in text
    assert "Tides (6 of 10 agree)" in text
    assert "in spite of Deserts (7 of 10 agree)" in text
    assert re.search(
        r"Strongest: 8 of 10 seeds: A Storm.*; hold 0.83 \[0.71, 0.90\] against untrained order: shaky", text
    )
    assert "Strongest: 4 of 10 seeds: Tides; no hold can be measured\n" in text
    assert text.count("In this run it is shaky (0.50).\nNot measured against another input: none.\n") == 1
    assert "2. Nothing  (1 of 10 models recommend it)\n   no item speaks for it" in text
    assert (
        "3. Something  (3 of 10 models recommend it)\n   no reason holds across seeds\n"
        "   Strongest: 9 of 10 seeds: Tides; hold 0.18 [0.00, 0.34]: does not hold\n" in text
    )
    assert "\x1b" not in text
