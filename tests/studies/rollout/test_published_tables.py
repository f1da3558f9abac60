import math

import pytest

from holdfast.studies.rollout.published_tables import SD, published
from tests.study.rollout_made import made_rows


def found(rows=None):
    lines = published(made_rows() if rows is None else rows)
    return {(line.table, line.row, line.column): line for line in lines}


@pytest.mark.parametrize(
    ("table", "row", "column", "said"),
    [
        ("3.1", "ML-1M", "actions", 999611),
        ("3.2", "SASRec ML-1M", "b1h1", 0.81),
        ("3.2", "BERT4Rec Games", "b2h2", 0.62),
        ("4.1", "SASRec Beauty", "grad~first", 0.60),
        ("4.1", "SASRec Beauty", "grad~first sd", 0.44),
        ("4.2", "BERT4Rec ML-1M", "grad~last", 0.81),
        ("4.3", "SASRec Games", "shap~rollout", 0.13),
        ("4.4", "BERT4Rec Steam", "head1~head2", 0.24),
        ("4.5", "SASRec Steam", "bits sd", 1.02),
        ("4.6", "SASRec ML-1M", "mu_lin from 0", 0.635),
        ("4.6", "BERT4Rec ML-1M", "jaccard_top3", 0.07),
        ("4.6", "SASRec Games", "log10 p from 1", round(math.log10(1.2e-07), 2)),
    ],
)
def test_the_documents_numbers_are_there(table, row, column, said):
    assert found()[table, row, column].published == said


def test_every_table_is_whole():
    lines = published([])
    counts = {
        name: sum(line.table == name for line in lines) for name in dict.fromkeys(x.table for x in lines)
    }
    assert counts == {"3.1": 24, "3.2": 32, "4.1": 64, "4.2": 80, "4.3": 80, "4.4": 80, "4.5": 16, "4.6": 112}
    assert all(line.measured is None and line.n == 0 for line in lines)


def test_the_measured_stands_beside_it_with_its_interval():
    rows = made_rows()
    line = found()["4.2", "SASRec ML-1M", "grad~rollout"]
    row = next(
        r
        for r in rows
        if (r.model, r.quantity, r.by, r.explainer, r.other_explainer)
        == ("sasrec", "correlation", "all", "gradient", "rollout")
    )
    assert (line.measured, line.low, line.high, line.n) == (row.value, row.low, row.high, 10)
    wide = found()["4.2", "SASRec ML-1M", f"grad~rollout{SD}"]
    assert wide.measured == pytest.approx(0.05, abs=0.01)
    assert found()["4.6", "SASRec ML-1M", "log10 p from 0"].measured == pytest.approx(-40)


def test_both_first_ranks_stand_there():
    lines = found()
    for first in ("from 0", "from 1"):
        assert lines["4.6", "BERT4Rec ML-1M", f"mu_log {first}"].measured == pytest.approx(0.61, abs=0.02)


def test_what_was_not_run_is_listed():
    lines = published(made_rows())
    ran = {line.row for line in lines if line.measured is not None}
    gone = {line.row for line in lines} - ran
    assert "SASRec Steam" in gone
    assert "BERT4Rec Games" in gone
    assert "SASRec ML-1M" not in gone
    assert not any(line.measured is not None for line in lines if line.row in gone)


def test_other_settings_do_not_stand_beside_the_published():
    lines = published(made_rows(("ml-1m:length=200,holdout=validation",)))
    assert all(line.measured is None for line in lines)
