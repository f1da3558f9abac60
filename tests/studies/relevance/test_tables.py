from dataclasses import asdict, replace

import pytest

from holdfast.measure.claims import Answer
from holdfast.measure.reduce import Interval
from holdfast.studies.relevance.published_tables import published
from holdfast.studies.relevance.tables import (
    accuracy_table,
    apart_table,
    claims_table,
    details_table,
    pairs_section,
    unknown_table,
)
from holdfast.study.measurement import Measurement
from tests.report.relevance_rows import every_row


def claim(**changes):
    about = {"claim": "c", "where": "w", "explainer": "deep_taylor", "published": "yes", "p": 0.01}
    measured = {"measured": Interval(0.05, 0.02, 0.08, 7), "corrected": 0.02, "corrected_worth": 1.0}
    answer = Answer(**(about | measured | changes))
    return asdict(answer) | {"verdict": answer.verdict}


def test_a_claim_has_its_number_its_p_and_its_verdict():
    (row,) = claims_table([claim()]).rows
    assert (row[0], row[3:]) == ("c", ("yes", "w", "0.020", "1.000"))
    assert (row[1].word, row[2].text, row[2].interval) == ("came out", "0.050", "[0.020, 0.080]")
    (row,) = details_table([claim(corrected=1e-9)]).rows
    assert (row[1], *row[5:]) == ("deep Taylor", "< 0.001", "1.000")


def test_every_outcome_looks_different():
    no = claim(measured=Interval(-0.05, -0.08, -0.02, 7), corrected_worth=0.01)
    small = claim(measured=Interval(0.007, 0.002, 0.012, 7), worth=0.01)
    unknown = claim(p=None, corrected=None, measured=Interval(0.1, None, None, 2))
    table = claims_table([no, small, unknown])
    assert [(row[1].word, row[1].tone) for row in table.rows] == [
        ("did not come out", "poor"),
        ("too small to matter", "fair"),
        ("not decided", "fair"),
    ]
    assert table.rows[0][6] == "0.010"  # which decides that it did not
    assert table.rows[2][5] == "–"


def test_the_weakest_part_is_named():
    (one,), (other,) = (
        claims_table([claim(weakest=part)]).rows for part in ("over rlstm_sd", "lrp over guided_backprop")
    )
    assert one[0] == "c (weakest: over rlstm_sd)"
    assert other[0] == "c (weakest: LRP over guided backprop)"


def test_appendix_2_stands_beside_what_was_made_in_the_same_way():
    rows = every_row(single=())
    beside = [asdict(one) for one in published(rows)]
    section = pairs_section(rows, beside)
    (table,) = section.tables
    assert len(table.rows) == 24
    row = next(r for r in table.rows if r[:2] == ("deep Taylor", "shallow − convdeep"))
    own = next(p for p in beside if p["row"] == "deep_taylor: shallow − convdeep")
    assert (row[2].value, row[3].value, row[3].low) == (-0.2313, own["measured"], own["low"])
    assert len(section.folded[0].rows) == 45 * 5
    assert len(section.folded[1].rows) == 5
    assert "the data set and the member as a block" in section.text
    assert "all members explain the same images" in section.text


@pytest.mark.parametrize("data", [("mnist-maj",), ("digits-maj",)])
def test_appendix_2_wants_both_data_sets(data):
    rows = every_row(data=data, single=())
    section = pairs_section(rows, [asdict(one) for one in published(rows)])
    assert section.tables[0].rows == ()
    assert len(section.folded[0].rows) == 45 * 5


def test_an_older_runs_blocks_are_told_as_they_were():
    rows = [replace(row, comparison="") for row in every_row(single=())]
    assert "mnist-maj and fashion-maj, the data set as a block" in pairs_section(rows, []).text


def test_without_comparisons_the_section_is_empty():
    assert pairs_section([], []).empty
    assert pairs_section([], []).text == ""


def test_what_the_document_would_not_have_used_is_said():
    rows = [
        Measurement("mnist-maj", "deep", "none", "accuracy", 0.979, 0.97, 0.99, 5),
        Measurement("mnist-maj", "deep", "none", "weights", 150_112.0, n=1),
        Measurement("mnist-maj", "rlstm:stationary=true", "none", "accuracy", 0.5, n=5),
        Measurement("mnist-maj", "rlstm:stationary=true", "none", "accuracy_published", 0.98, n=5),
        Measurement("mnist:steps=7", "deep", "none", "accuracy", 0.99, n=2, low=0.9, high=1.1),
        Measurement("fashion-maj", "deep", "none", "accuracy", 0.85, n=5),
        Measurement("fashion-maj", "deep", "aswa", "accuracy", 0.84, n=5),
        Measurement("digits-maj", "deep:bias=0.001", "none", "accuracy", 0.5, n=5),
    ]
    table = accuracy_table(rows)
    assert [(*row[:3], row[3].value, row[4]) for row in table.rows] == [
        ("digits-maj", "deep", "–", 0.5, "–"),
        ("fashion-maj", "deep", "–", 0.85, "yes"),
        ("fashion-maj", "deep (aswa)", "–", 0.84, "no"),
        ("mnist", "deep", "–", 0.99, "yes"),
        ("mnist-maj", "deep", "150,112", 0.979, "no"),
        ("mnist-maj", "rlstm_sd", "–", 0.98, "yes"),
    ]
    assert table.rows[3][3].interval == ""


def test_claims_that_compare_unequal_cells_are_named():
    rows = [
        Measurement("mnist-maj", "deep", "none", "accuracy", 0.96, n=5),
        Measurement("mnist-maj", "rlstm", "none", "accuracy", 0.975, n=5),
        Measurement("mnist-maj", "rlstm", "aswa", "accuracy", 0.5, n=5),
        Measurement("fashion-maj", "deep", "none", "accuracy", 0.90, n=5),
        Measurement("fashion-maj", "rlstm", "none", "accuracy", 0.905, n=5),
    ]
    asked = [claim(where="mnist-maj and fashion-maj", cells=("deep", "rlstm"))]
    assert apart_table(rows, asked).rows == (
        ("c", "mnist-maj", "deep: 96.0 %", "rlstm: 97.5 %", "1.5 points"),
    )
    assert apart_table(rows, [claim(where="mnist-maj", cells=("deep",))]).rows == ()


def test_images_without_relevance_are_counted():
    rows = [
        Measurement("mnist-maj", "deep", "none", "unknown", 0.25, n=200, explainer="lrp"),
        Measurement("mnist-maj", "deep", "none", "unknown", 0.0, n=200, explainer="sensitivity"),
        Measurement("mnist-maj", "deep", "none", "cosine", 0.9, n=6, explainer="lrp"),
    ]
    ((data, cell, method, share, members),) = unknown_table(rows).rows
    assert (data, cell, method, share.text, members) == ("mnist-maj", "deep", "LRP", "25.0 %", "6")
