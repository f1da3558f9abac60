import pytest

from holdfast.core.errors import BadSetting
from holdfast.study.explain_row import explain_row
from tests.study.tables import audited


def test_a_test_row_is_explained_as_the_audit_explained_it():
    example = explain_row(audited().run, row=3)
    assert [token.partition(" = ")[0] for token in example.tokens] == ["age", "job", "debt"]
    assert example.label in ("late", "paid")
    (heat,) = example.heats
    assert len(heat.scores) == 3
    assert heat.standing.missing[0][0] == "untrained order"
    assert "is fitted at once: there is nothing before training" in heat.standing.missing[0][1]


def test_a_row_of_a_file_may_have_categories_that_are_new(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("job,age,debt\npilot,22,5\ncook,60,\n")
    first, second = (explain_row(audited().run, path, row, explainers=("leave_one_out",)) for row in (0, 1))
    assert first.tokens == ("age = 22", "job = a category that is new", "debt = 5")
    assert second.label == ""
    assert second.target == "late"
    assert second.tokens[1] == "job = cook"


def test_a_row_that_is_not_there_is_refused():
    with pytest.raises(
        BadSetting, match=r"^the test split of table: expected --row from 0 to 31, but got 32$"
    ):
        explain_row(audited().run, row=32)
    with pytest.raises(BadSetting, match=r"give a table with rows to explain, or --row for a test row$"):
        explain_row(audited().run)
