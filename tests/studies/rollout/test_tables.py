from holdfast.report.claims import not_run_table
from holdfast.studies.rollout.published_tables import published
from holdfast.studies.rollout.tables import (
    reasons_table,
    seeds_table,
)
from holdfast.study.measurement import Measurement
from tests.later import Later
from tests.study.rollout_made import made_rows

ROWS = Later(made_rows)


def test_what_was_not_run_stands_by_its_table():
    beside = published(ROWS)
    found = dict(not_run_table(beside).rows)
    assert "SASRec Steam" in found["3.2"]
    assert "ML-1M" not in found["4.1"]
    assert found["3.1"] == "Steam, Beauty, Games"


def test_every_pair_says_whether_it_holds():
    table = seeds_table(ROWS)
    row = next(r for r in table.rows if r[1:3] == ("SASRec, b = 2", "∇ ~ rollout"))
    assert row[0] == "ML-1M"
    assert row[4] == "strong"
    assert row[6].startswith("[0.9")
    assert len(row) == len(table.columns) == 10
    alone = [
        Measurement(
            "d", "sasrec", "aswa", "correlation", 0.2, explainer="gradient", other_explainer="rollout"
        )
    ]
    assert seeds_table(alone).rows[0][4:7] == ("weak", seeds_table(alone).rows[0][5], "–")


def test_reasons_that_speak_against():
    row = reasons_table(ROWS).rows[0]
    assert row[2] == "attention first"
    assert row[3].share
    assert row[4].value == 1.0
