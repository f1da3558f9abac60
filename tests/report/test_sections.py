from holdfast.report.sections import comparisons, overview, repairs, sections
from holdfast.study.table import Row
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
    rows = [Row(d, "m", "none", "stability", 0.1, explainer="a", comparison="kl") for d in ("d", "e")]
    assert comparisons(rows).columns == ("data", "explainer", "KL ↓")


def test_repairs_show_before_and_after():
    [table] = repairs(FINDINGS.rows).tables
    before, after, gain = table.rows[0][2:5]
    assert (before.value, after.value) == (0.62, 0.79)
    assert abs(gain.value - 0.17) < 1e-9
