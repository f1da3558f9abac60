from holdfast.report.importance import importance
from holdfast.study.findings_file import read_findings
from tests.study.tables import audited


def test_columns_are_ranked_for_the_first_explainer_and_listed_for_all():
    rows = [row for row in read_findings(audited().run).rows if row.explainer != "random"]
    section = importance(rows)
    (figure,) = section.figures
    assert figure.kind == "dots"
    assert set(figure.data["label"]) == {"age", "job", "debt"}
    assert list(figure.data["value"]) == sorted(figure.data["value"], reverse=True)
    assert abs(sum(figure.data["value"]) - 100) < 1e-6
    (stable,) = section.tables
    assert [row[0] for row in stable.rows] == ["shapley", "leave one out", "permutation"]
    assert [table.title for table in section.folded] == [
        "Columns by shapley", "Columns by leave one out", "Columns by permutation",
    ]  # fmt: skip
    assert section.folded[0].rows[0][1] == figure.data["label"][0]


def test_without_columns_there_is_no_section():
    assert importance([]).empty
