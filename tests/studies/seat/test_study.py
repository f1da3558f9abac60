"""The study from its plan to its page."""

import csv

import pytest

from holdfast.commands.report import report
from holdfast.commands.reproduce import reproduce
from holdfast.studies.seat import Seat
from holdfast.studies.seat.measures import MOVED
from holdfast.study.findings_file import read_findings
from holdfast.testing.study import check_claims, check_page, check_published, check_study
from tests.studies.seat.runs import REPAIRS, families, reproduced, rows


def test_it_keeps_the_contract():
    check_study(Seat())


def test_what_was_found_keeps_it_too():
    findings = read_findings(reproduced().run)
    for check in (check_claims, check_published, check_page):
        check(Seat(), findings)


def test_every_family_is_trained_and_one_strength_of_the_rival_is_shown():
    assert [family.repair for family in families()] == list(REPAIRS)
    assert {row.repair for row in rows() if row.quantity == "validation_f1"} == set(REPAIRS)
    shown = {family.repair for family in Seat().shown(families())}
    assert len(shown) == 3
    assert {row.repair for row in rows() if row.quantity == MOVED} == shown
    assert {row.repair for row in rows() if row.quantity == "hold"} == shown


def test_two_seeds_decide_nothing_but_everything_is_there():
    done = reproduced()
    assert {claim.answer for claim in done.claims} == {"not decided"}
    assert len(done.lines) == len([claim for claim in done.claims if not claim.detail]) >= 10
    assert {line.measured for line in done.published} == {None}
    page = (done.run / "report.html").read_text("utf-8")
    assert "Which repair is worth it?" in page
    assert {path.name.split("-planted")[0] for path in (done.run / "figures").iterdir()} == {
        "hold-f1",
        "one-text",
    }
    with (done.run / "rows.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert {line["quantity"] for line in lines} >= {MOVED, "surrogate", "validation_f1"}
    numbers = ("value", "low", "high", "n")
    places = {tuple(text for name, text in line.items() if name not in numbers) for line in lines}
    assert len(places) == len(lines), "every line says what its number is of"


def test_the_report_is_made_again_of_the_results_alone():
    run = reproduced().run
    page, claims = ((run / name).read_bytes() for name in ("report.html", "claims.json"))
    report(run)
    assert ((run / "report.html").read_bytes(), (run / "claims.json").read_bytes()) == (page, claims)


def test_every_number_is_there_once():
    assert len({(row.family, row.what, row.part) for row in rows()}) == len(rows())


@pytest.mark.slow
def test_the_small_study_learns_and_says_what_came_of_each_claim(tmp_path):
    done = reproduce("seat", quick=True, device="cpu", out=tmp_path / "run")
    found = read_findings(done.run).rows
    (f1,) = [r.value for r in found if (r.repair, r.quantity, r.by) == ("none", "macro_f1", "all")]
    assert f1 > 0.8
    heads = [claim for claim in done.claims if not claim.detail]
    assert len(heads) >= 18
    page = (done.run / "report.html").read_text("utf-8")
    assert all(claim.statement.split("'")[0] in page for claim in heads)
