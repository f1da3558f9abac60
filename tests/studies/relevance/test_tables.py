from dataclasses import replace

import pytest

from holdfast.measure.claims import Claim
from holdfast.measure.reduce import Interval
from holdfast.studies.relevance.published_tables import published
from holdfast.studies.relevance.tables import (
    accuracy_table,
    apart_table,
    pairs_section,
    unknown_table,
    weakest,
)
from holdfast.study.measurement import Measurement
from tests.report.relevance_rows import every_row


def claim(**changes):
    claim = Claim("c", "w", "yes", Interval(0.05, 0.02, 0.08, 7), 0.01, 1.0, 0.02, 1.0)
    return replace(claim, **changes)


def test_methods_have_their_words():
    assert weakest("over rlstm_sd") == "over rlstm_sd"
    assert weakest("lrp over guided_backprop") == "LRP over guided backprop"


def test_appendix_2_stands_beside_what_was_made_in_the_same_way():
    rows = every_row(single=())
    beside = published(rows)
    section = pairs_section(rows, beside)
    (table,) = section.tables
    assert len(table.rows) == 24
    row = next(r for r in table.rows if r[:2] == ("deep Taylor", "shallow − convdeep"))
    own = next(p for p in beside if p.row == "deep_taylor: shallow − convdeep")
    assert (row[2].value, row[3].value, row[3].low) == (-0.2313, own.measured, own.low)
    assert len(section.folded[0].rows) == 45 * 5
    assert len(section.folded[1].rows) == 5
    assert "the data set and the member as a block" in section.text
    assert "all members explain the same images" in section.text


@pytest.mark.parametrize("data", [("mnist-maj",), ("digits-maj",)])
def test_appendix_2_wants_both_data_sets(data):
    rows = every_row(data=data, single=())
    section = pairs_section(rows, published(rows))
    assert section.tables[0].rows == ()
    assert len(section.folded[0].rows) == 45 * 5


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
    asked = [claim(where="mnist-maj and fashion-maj", models=("deep", "rlstm"))]
    assert apart_table(rows, asked).rows == (
        ("c", "mnist-maj", "deep: 96.0 %", "rlstm: 97.5 %", "1.5 points"),
    )
    assert apart_table(rows, [claim(where="mnist-maj", models=("deep",))]).rows == ()


def test_images_without_relevance_are_counted():
    rows = [
        Measurement("mnist-maj", "deep", "none", "unknown", 0.25, n=200, explainer="lrp"),
        Measurement("mnist-maj", "deep", "none", "unknown", 0.0, n=200, explainer="sensitivity"),
        Measurement("mnist-maj", "deep", "none", "cosine", 0.9, n=6, explainer="lrp"),
    ]
    ((data, cell, method, share, members),) = unknown_table(rows).rows
    assert (data, cell, method, share.text, members) == ("mnist-maj", "deep", "LRP", "25.0 %", "6")
