from holdfast.report.charts.select import ZEROS
from holdfast.report.modality import modality
from holdfast.report.texts import describe
from holdfast.report.where import LOW, SURE, comparisons, where
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_findings

ROWS = make_findings().rows
WORDS = modality("text").unit


def test_one_chart_stands_open_and_the_others_are_folded():
    section = where(ROWS, WORDS)
    assert section.text == SURE
    assert [figure.title for figure in section.figures] == ["Hold by confidence"]
    assert [figure.title for figure in section.hidden] == ["Hold by length", "Hold by class"]
    assert section.tables == ()
    assert [table.title for table in section.folded] == ["Every comparison between seeds, in numbers"]


def test_random_scores_have_no_line_but_are_the_floor_of_the_comparisons():
    about = {"explainer": "random", "comparison": "kl"}
    rows = [
        Measurement("d", "m", "none", "hold", 0.0, explainer="random", by="length", at=at) for at in (1, 2)
    ]
    section = where([*rows, Measurement("d", "m", "none", "stability", 0.1, **about)], WORDS)
    assert section.figures == []
    assert [row[0] for row in section.folded[0].rows] == ["random"]


def test_where_all_are_as_sure_length_comes_first():
    section = where([row for row in ROWS if row.by != "confidence"], WORDS)
    assert [figure.title for figure in section.figures] == ["Hold by length"]
    assert section.text == LOW


def test_where_nothing_tells_them_apart_that_is_said():
    section = where([row for row in ROWS if row.quantity == "stability"], WORDS)
    assert section.figures == []
    assert section.text == (
        "The sentences explained here are too much alike in confidence and length to say where it holds."
    )


def test_only_columns_that_differ_lead_a_table():
    rows = [Measurement(d, "m", "none", "stability", 0.1, explainer="a", comparison="kl") for d in ("d", "e")]
    assert comparisons(rows).columns == ("data", "explainer", "KL ↓")


def test_wherever_kl_is_shown_it_is_said_what_zeros_do():
    """In the glossary, and under the table."""
    rows = [
        Measurement("d", "cnn", "none", "stability", 1.0, explainer="attention", comparison=name)
        for name in ("kl", "tvd")
    ]
    assert comparisons(rows).caption.endswith(ZEROS)
    assert "exactly 0 counts as 1e-12" in describe("comparisons", "kl")
    assert not comparisons(rows[1:]).caption.endswith(ZEROS)


def test_short_texts_stand_apart_where_they_were_measured():
    about = {"explainer": "attention", "by": "short"}
    rows = [
        Measurement("d", "m", "none", "hold", value, 0.1, 0.9, bin=bin_, at=at, **about)
        for value, bin_, at in ((0.3, "2–3", 2.4), (0.6, "4–9", 6.0))
    ]
    (table,) = where([*ROWS, *rows], WORDS).tables
    assert (table.title, table.columns) == (
        "Hold of short sentences and of longer ones",
        ("explainer", "two or three words", "more"),
    )
    assert [cell.value for cell in table.rows[0][1:]] == [0.3, 0.6]
    (only,) = where(rows[:1], WORDS).tables
    assert [cell.value for cell in only.rows[0][1:]] == [0.3, None]
