"""Scores of the same columns in every example are drawn as bars, and the columns ranked."""

import numpy as np
import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.scores.given import bring
from holdfast.report.html import render
from holdfast.report.notebook import render_cell
from holdfast.study.brought import judge_brought
from holdfast.study.findings import without_text
from tests.data.scores.made import made

MADE = made(members=3)
NAMES = ["age", "income", "debt", "rooms", "job", "region"]
FOUND = judge_brought(bring(MADE.scores, tokens=NAMES))


def test_bars_and_the_ranking_of_columns():
    page = render(FOUND)
    assert FOUND.kind == "columns"
    assert '<table class="bars">' in page
    assert "<h2>Which columns weigh most</h2>" in page
    assert "explained: " not in page, "no class was named"
    assert '<table class="bars">' in render_cell(FOUND)


def test_one_member_has_bars_and_no_stability():
    own = made(members=1, examples=200)
    found = judge_brought(bring(own.scores, tokens=NAMES, labels=own.labels, predict=own.predict))
    page = render(found)
    assert "<h2>Which columns weigh most</h2>" in page
    assert "How stable the ranking is" not in page
    assert "holds best" not in page
    assert "<strong>one seed: “" in page


def test_a_report_to_share_names_no_column():
    page = render(without_text(FOUND))
    assert not any(name in page for name in ("income", "rooms", "region"))
    assert "column 2" in page


@pytest.mark.parametrize(
    "given",
    [
        {"tokens": [NAMES, *[NAMES[::-1]] * 119]},
        {"tokens": ["the", "the", *NAMES[2:]]},
        {"tokens": NAMES, "mask": np.arange(6) < np.array([5] * 60 + [6] * 60)[:, None]},
    ],
    ids=["each has its own", "names twice", "not all exist"],
)
def test_words_are_no_columns(given):
    found = judge_brought(bring(MADE.scores, **given))
    assert found.kind == "scores"
    assert not any(row.quantity == "importance" for row in found.rows)


def test_names_must_be_as_many_as_positions():
    with pytest.raises(BadSetting, match="expected as many tokens as positions"):
        bring(MADE.scores, tokens=NAMES[:5])
