from holdfast.report.f1 import f1_table
from holdfast.report.sections import ordered, sections
from tests.report.synthetic import make_findings

FINDINGS = make_findings()


def test_f1_stands_by_the_names_of_the_classes():
    (section,) = [s for s in sections(FINDINGS) if s.title.startswith("How good are the models")]
    assert "macro-F1 ↑" in section.folded[0].columns
    assert "F1 ↑" not in section.folded[0].columns
    (table,) = [t for t in section.folded if t.title == "F1 of each class"]
    assert table == f1_table(ordered(FINDINGS))
    named = [(repair, name) for _, repair, name, _ in table.rows]
    assert named[:3] == [("aswa", "negative"), ("aswa", "positive"), ("none", "negative")]
    assert table.rows[2][3].text == "85.1 %"


def test_what_is_not_classified_has_no_table():
    assert f1_table([row for row in FINDINGS.rows if row.quantity != "f1"]).rows == ()
