from dataclasses import asdict

from holdfast.measure.claims import NOT
from holdfast.report.claims import not_run_table
from holdfast.studies.rollout.claims import own_claims
from holdfast.studies.rollout.names import GRADIENT, ROLLOUT
from holdfast.studies.rollout.published_tables import published
from holdfast.studies.rollout.tables import (
    claims_table,
    reasons_table,
    seeds_table,
)
from holdfast.study.measurement import Measurement
from tests.later import Later
from tests.study.rollout_made import made_rows

ROWS = Later(made_rows)
CLAIMS = Later(lambda: [asdict(claim) | {"verdict": claim.verdict} for claim in own_claims(ROWS)])


def test_claims_have_their_verdict_and_the_weakest_part():
    heads = [c for c in CLAIMS if not c["detail"]]
    table = claims_table(heads)
    assert len(table.rows) == len(heads)
    assert table.rows[0][1].word == "came out"
    assert any("(weakest: " in row[0] for row in table.rows)
    assert claims_table(CLAIMS, details=True).title == "Each configuration by itself"
    undecided = claims_table([heads[0] | {"corrected": None, "verdict": "did not come out"}]).rows[0]
    assert (undecided[1].tone, undecided[5]) == ("poor", "–")


def test_the_p_that_decides_against_a_claim_is_shown():
    rows = made_rows(changes=(((GRADIENT, ROLLOUT), 0.6),))
    claims = [asdict(c) | {"verdict": c.verdict} for c in own_claims(rows) if c.verdict == NOT]
    table = claims_table(claims)
    assert table.columns[-2:] == ("p of no effect", "p of enough")
    assert table.rows
    assert all(float(row[-1].removeprefix("< ")) <= 0.05 for row in table.rows)
    assert "the second says that it did not" in table.caption


def test_what_was_not_run_stands_by_its_table():
    beside = [asdict(line) for line in published(ROWS)]
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
    alone = [Measurement("d", "sasrec", "aswa", "correlation", 0.2, explainer="gradient", other="rollout")]
    assert seeds_table(alone).rows[0][4:7] == ("weak", seeds_table(alone).rows[0][5], "–")


def test_reasons_that_speak_against():
    row = reasons_table(ROWS).rows[0]
    assert row[2] == "attention first"
    assert row[3].share
    assert row[4].value == 1.0
