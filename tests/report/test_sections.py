from dataclasses import replace

from holdfast.report.charts.select import ZEROS
from holdfast.report.modality import modality
from holdfast.report.sections import comparisons, overview, repairs, sections, where
from holdfast.report.texts import describe
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_findings

FINDINGS = make_findings()


def test_sections_stand_in_the_order_of_the_questions():
    titles = [section.title for section in sections(FINDINGS)]
    assert titles[:4] == [
        "Where it holds, and where not",
        "Do the explainers agree?",
        "How good are the models, and how sure?",
        "What a repair changes",
    ]


def test_without_rows_nothing_is_left_but_the_frame():
    assert [s.title for s in sections(type(FINDINGS)("t", "c", {}, {}, (), ()))] == []


def test_overview_is_for_several():
    assert len(overview(FINDINGS.rows).rows) == 2
    assert overview([row for row in FINDINGS.rows if row.repair == "none"]).rows == ()


def test_only_columns_that_differ_lead_a_table():
    rows = [Measurement(d, "m", "none", "stability", 0.1, explainer="a", comparison="kl") for d in ("d", "e")]
    assert comparisons(rows).columns == ("data", "explainer", "KL ↓")


def test_wherever_kl_is_shown_it_is_said_what_zeros_do():
    """In the glossary, under the figure, and under the table."""
    rows = [
        Measurement(
            "d", "cnn", "none", "stability", 1.0, explainer="attention", comparison=name, by=by, bin="0.5"
        )
        for name in ("kl", "tvd")
        for by in ("all", "confidence")
    ]
    section = where(rows, modality("text").unit)
    assert [figure.caption.endswith(ZEROS) for figure in section.figures] == [True]
    assert section.tables[0].caption.endswith(ZEROS)
    assert "exactly 0 counts as 1e-12" in describe("comparisons", "kl")
    assert not comparisons([row for row in rows if row.comparison == "tvd"]).caption.endswith(ZEROS)


def test_repairs_show_before_and_after():
    [table] = repairs(FINDINGS.rows).tables
    before, after, gain = table.rows[0][2:5]
    assert (before.value, after.value) == (0.62, 0.79)
    assert abs(gain.value - 0.17) < 1e-9


def test_the_truth_of_images_is_told_in_pixels():
    images = replace(make_findings("digits-maj"), kind="image")
    said = [figure.caption for section in sections(images) for figure in section.figures]
    assert any("a pixel of the blocks" in caption for caption in said)
    assert not any("token" in caption for caption in said)
