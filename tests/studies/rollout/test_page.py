from dataclasses import replace

import pytest

from holdfast.commands.report import report
from holdfast.commands.reproduce import reproduce_study
from holdfast.report.html import render_page
from holdfast.studies.rollout import Rollout
from holdfast.studies.rollout.claims import own_claims
from holdfast.studies.rollout.page import BESIDE, intro, sections
from holdfast.studies.rollout.plan import plan
from holdfast.studies.rollout.published_tables import published
from holdfast.study.overrides import Overrides
from tests.later import Later
from tests.studies.rollout.test_charts import example
from tests.study import tiny
from tests.study.rollout_cells import DATA
from tests.study.rollout_made import made_rows

TITLE = Rollout.title

ROWS = Later(made_rows)
CLAIMS = Later(lambda: own_claims(ROWS))
TABLES = Later(lambda: published(ROWS))


@pytest.fixture(scope="module")
def made():
    return {section.title: section for section in sections(ROWS, CLAIMS, TABLES, [example()])}


def test_the_intro_counts_the_claims_and_not_their_details():
    assert intro(CLAIMS)[0] == "Of 11 claims checked, 11 came out, 0 did not, and 0 cannot be decided."
    small = [replace(CLAIMS[0], least=1.0)]
    assert "1 is above 0 but too small to matter, 0 did not" in intro(small)[0]


def test_a_line_for_a_terminal():
    text = Rollout().line(CLAIMS[0])
    assert text.startswith("came out: rollout correlates with gradients more strongly")
    assert "[+0." in text
    made_up = replace(CLAIMS[0], where="planted-plays:length=9,users=1000")
    assert "(planted-plays)" in Rollout().line(made_up)


def test_claims_come_first_and_every_part_is_there(made):
    assert list(made) == [
        "What the document claims",
        BESIDE,
        "Do the rankings agree?",
        "Does the correlation itself hold?",
        "How the correlation is spread over users",
        "Along training",
        "Deleting items",
        "Attention between genres",
        "A worked example",
        "A sign for attention",
        "How good are the recommenders?",
        "Beyond the document: does it hold?",
    ]


def test_the_tables_show_what_was_run_and_name_the_rest(made):
    shown = {row for figure in made[BESIDE].figures for row in figure.data["row"]}
    assert shown == {"ML-1M", "SASRec ML-1M", "BERT4Rec ML-1M"}
    assert not any(column.endswith(" sd") for f in made[BESIDE].figures for column in f.data["column"])
    assert made[BESIDE].tables[0].rows


def test_what_was_not_measured_has_no_section():
    assert [section.title for section in sections([], [], TABLES)] == [BESIDE]
    assert sections([], [], []) == []


def test_the_page_is_whole(made):
    html = render_page(TITLE, intro(CLAIMS), list(made.values()), ("a note",), "holdfast reproduce rollout")
    assert "Gold &amp; finger" in html
    assert html.count("<figure") >= 15


def test_a_tiny_study_is_carried_out_and_drawn_again(tmp_path):
    models = ("sasrec:dim=8,blocks=1", "sasrec:dim=8,heads=2", "bert4rec:dim=8")
    overrides = plan(Overrides(data=(DATA,), models=models, seeds=2, epochs=1, instances=6))
    few = ("rollout", "gradient", "attention_first", "attention_last", "shapley:samples=64,absent=column")
    with tiny.here():
        done = reproduce_study(replace(overrides, explainers=few), tmp_path / "run")
    assert {claim.answer for claim in done.claims} == {"not decided"}  # two seeds decide nothing
    assert len(done.lines) == len([c for c in done.claims if not c.detail]) >= 8
    assert {row.measured for row in done.published} == {None}
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "A worked example" in page
    claims = (tmp_path / "run" / "claims.json").read_bytes()
    report(tmp_path / "run", text=False)
    assert (tmp_path / "run" / "claims.json").read_bytes() == claims
    assert "A worked example" not in (tmp_path / "run" / "report-no-text.html").read_text("utf-8")
    assert (tmp_path / "run" / "report.html").read_text("utf-8") == page
