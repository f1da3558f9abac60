"""Audits of tables: rows are shown column by column, columns are ranked, equal members are noticed."""

from holdfast.data.source import Source
from holdfast.report.html import render
from holdfast.study.findings_file import read_findings
from holdfast.study.modality import modality
from holdfast.study.plan import defaults_for
from tests.study.tables import audited


def test_gradients_are_asked_of_those_that_have_some():
    table = Source("a.csv", label="y", features="all")
    assert defaults_for(table).models == ("forest",)
    assert "integrated_gradients" in defaults_for(table, ("mlp", "logistic")).explainers
    assert defaults_for(table, ("mlp", "hgb")).explainers == (
        "shapley",
        "leave_one_out",
        "permutation",
        "random",
    )
    assert modality("features").part == "column"


def test_an_audit_shows_rows_and_ranks_columns():
    found = read_findings(audited().run)
    assert [row.explainer for row in found.answer.rows if row.hold is not None]
    assert found.kind == "features"
    tokens = found.examples[0].tokens
    assert [token.partition(" = ")[0] for token in tokens] == ["age", "job", "debt"]
    weights = {
        row.bin: row.value
        for row in found.rows
        if row.quantity == "importance" and row.explainer == "shapley"
    }
    assert weights["age"] > weights["debt"]
    assert abs(sum(weights.values()) - 1) < 1e-9
    (ranking,) = [row for row in found.rows if row.quantity == "ranking" and row.explainer == "shapley"]
    assert ranking.comparison == "spearman"
    assert any("is fitted by scikit-learn" in note for note in found.notes)
    against = [row.against for row in found.answer.rows]
    assert all(set(each) <= {"shuffled", "another input"} for each in against)
    page = render(found)
    assert "Which columns weigh most" in page
    assert 'class="bars"' in page


def test_members_that_are_the_same_are_never_said_to_hold():
    answer = audited("hgb:trees=3,leaves=4").answer
    assert answer.verdict == "undecided"
    assert all(row.hold is None and row.verdict != "holds" for row in answer.rows)
    assert "every member is the same bits" in answer.reason.lower()
    assert answer.do == (
        "Train every member on its own draw of the rows: holdfast audit table.parquet --label payment "
        "--resample --model hgb:trees=3,leaves=4 --seeds 3 --device cpu --epochs 5  "
        "# the data came from Python (holdfast.audit): save that table under this name first"
    )
    found = read_findings(audited("hgb:trees=3,leaves=4").run)
    assert (
        "Seeds 0 to 2 of hgb:trees=3,leaves=4 are the same, bit for bit: training made no use of their seeds."
        in found.notes
    )
    assert not [row for row in found.rows if row.quantity in ("hold", "ranking")]


def test_drawn_anew_they_differ():
    answer = audited("hgb:trees=3,leaves=4", resample=True).answer
    assert any(row.hold is not None for row in answer.rows)


def test_a_network_has_an_untrained_one_too():
    answer = audited("mlp:hidden=8,layers=1").answer
    assert any("untrained order" in (row.against or {}) for row in answer.rows)
    names = {row.explainer for row in answer.rows}
    assert {"shapley", "gradient_input", "integrated_gradients", "leave_one_out", "permutation"} == names
