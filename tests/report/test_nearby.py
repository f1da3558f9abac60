"""Neighbours in words, on a terminal and on a page."""

from dataclasses import replace

from holdfast.report.explained_user import render_user
from holdfast.report.nearby import NEARNESS, users_near
from holdfast.study.neighbours import Neighbour, Neighbourhood, Taken
from holdfast.study.recommendation import Recommendation, UserExample
from tests.report.hostile import HOSTILE
from tests.report.test_explained import Reader
from tests.report.test_explained_texts import text_of
from tests.report.test_reasons import ONE, shown

MORE, NO_MORE = Taken(10, 4.3, 3.1, 5.5, 1.1, True), Taken(10, 2.0, 1.0, 3.0, 1.1, False)
BARE = Recommendation("Island", 2, (), (), None, None, None, "")
NEAR = Neighbourhood(10, (Neighbour("17", 9),), 0.6, 0.002)


def user(*ones, explainer="", **about):
    values = ("plays", "gmf", "none", "42", ("Storm", "Desert"), 0, explainer, False, tuple(range(10)), ones)
    return replace(UserExample(*values), **about)


def test_seeds_that_agree_on_nobody():
    said = users_near(replace(NEAR, named=(), overlap=None), 10)
    assert said == "No user is among the 10 nearest in most seeds."


def test_a_model_without_history_speaks_of_neighbours_alone():
    first, second = replace(BARE, taken=MORE, near=(Neighbour("Storm", 7),)), replace(BARE, taken=NO_MORE)
    example = user(first, second, neighbours=NEAR)
    terminal, page = shown(example), text_of(render_user(example))
    for said in (terminal, page):
        assert "Nearest users: 17 (9 of 10 seeds). Two seeds share 60.0 % of their 10 nearest" in said
        assert "Near it, of the history: Storm (7 of 10 seeds)." in said
        assert (
            "Of the 10 nearest users 4.3 took it (3.1 to 5.5 over seeds); of 10 others as active, 1.1."
            in said
        )
        assert "of 10 others as active, 1.1: not beyond chance, so no reason." in said
        assert "Strongest" not in said
        assert "hold" not in said.replace("Holdfast", "").replace("holdfast", "")
        assert "no sign" not in said
    assert "gmf reads no history, so no item of it is a reason" in terminal
    assert NEARNESS in " ".join(terminal.split())


def test_beside_reasons_neighbours_are_one_line_more():
    example = user(replace(ONE, near=(Neighbour("Tides", 7),)), explainer="rollout")
    assert "Near it, of the history: Tides (7 of 10 seeds).\n   with most weight on A Storm" in shown(example)
    plain = user(ONE, explainer="rollout")
    assert NEARNESS not in " ".join(shown(plain).split())
    assert "Euclidean" not in render_user(plain)


def test_nothing_in_it_is_live():
    named = (Neighbour(HOSTILE, 3),)
    example = user(replace(BARE, near=named), neighbours=replace(NEAR, named=named))
    assert "script" not in Reader(render_user(example)).tags
    assert "\x1b" not in shown(user(replace(BARE, near=(Neighbour("\x1b[31m", 3),))))
