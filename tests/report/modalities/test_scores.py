"""Scores that somebody brought are reported as an audit is, without a word of what was not given."""

import re

import pytest

from holdfast.data.scores.given import bring
from holdfast.report.answer_table import answer_table
from holdfast.report.html import render
from holdfast.report.markdown import markdown
from holdfast.study.brought import judge_brought
from tests.data.scores.made import made

MADE = made()
ALONE = judge_brought(bring(MADE.scores), "holdfast judge scores.npz")
WORDS = [list("uvwxyz"), *[list("zyxwvu")] * 119]
WHOLE = judge_brought(bring(**MADE.all, tokens=WORDS, classes=["no", "yes"]))
HOSTILE = "<script>alert(1)</script>"


def test_scores_alone_have_a_verdict_and_no_model():
    page = render(ALONE)
    assert "As far as it was asked, this explanation holds" in page
    assert "<code><span>holdfast</span> <span>judge</span> <span>scores.npz</span></code>" in page
    assert "explained: <strong>" not in page
    assert "Accuracy of each seed" not in page
    assert not re.search(r"\bNone\b|\bnan\b|–  ?%", page)
    assert "Not asked: whether the models learned" in page


def test_what_was_given_is_shown():
    page = render(WHOLE)
    assert "explained: <strong>yes</strong> (labelled no)" in page
    assert ">u</b>" in page
    for title in ("Where it holds, and where not", "Is the confidence right where it is used?"):
        assert f"<h2>{title}</h2>" in page


def test_one_member_has_no_hold_to_choose_by():
    own = made(members=1, examples=200)
    page = render(judge_brought(bring(own.scores, labels=own.labels, predict=own.predict)))
    assert "holds best" not in page
    assert "one seed" in page


def test_names_are_never_live():
    words = [[HOSTILE] * 6] * 120
    brought = bring(
        {HOSTILE: MADE.scores}, tokens=words, classes=[HOSTILE, "b"], labels=MADE.labels, name=HOSTILE
    )
    assert HOSTILE not in render(judge_brought(brought))


@pytest.mark.parametrize("width", [60, 160])
def test_a_terminal_says_that_nothing_is_known_of_the_models(width):
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    Console(file=out, width=width).print(answer_table(ALONE.answer))
    said = " ".join(out.getvalue().split())
    assert "How good the 10 models are is not known." in said
    assert "How good the 10 models are is not known" in markdown(ALONE.answer)


def test_an_explainer_of_another_library_is_not_described_as_ours():
    page = render(judge_brought(bring({"gradient": MADE.scores, "attention": MADE.scores})))
    assert "<td>Jensen–Shannon</td><td>comparison</td>" in page
    assert "<td>explainer</td>" not in page
