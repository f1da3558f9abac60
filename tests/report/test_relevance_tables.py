from dataclasses import asdict

from holdfast.measure.reduce import Interval
from holdfast.report.relevance_tables import claims_table, details_table, pairs_section
from holdfast.study.relevance_claims import Answer
from tests.report.relevance_rows import every_row


def claim(**changes):
    about = {"claim": "c", "where": "w", "explainer": "deep_taylor", "published": "yes", "p": 0.01}
    measured = Interval(0.05, 0.02, 0.08, 7)
    answer = Answer(**(about | {"measured": measured, "corrected": 0.02} | changes))
    return asdict(answer) | {"verdict": answer.verdict}


def test_a_claim_has_its_number_its_p_and_its_verdict():
    (row,) = claims_table([claim()]).rows
    assert row[:3] == ("c", "w", "yes")
    assert (row[3].text, row[3].interval, row[4], row[5].word) == (
        "0.050",
        "[0.020, 0.080]",
        "0.020",
        "came out",
    )
    (row,) = details_table([claim(corrected=1e-9)]).rows
    assert (row[2], row[4]) == ("deep Taylor", "< 0.001")


def test_what_did_not_come_out_and_what_is_open_look_different():
    no = claim(measured=Interval(-0.05, -0.08, -0.02, 7))
    unknown = claim(p=None, corrected=None, measured=Interval(0.1, None, None, 2))
    table = claims_table([no, unknown])
    assert [(row[5].word, row[5].tone) for row in table.rows] == [
        ("did not come out", "poor"),
        ("not decided", "fair"),
    ]
    assert table.rows[1][4] == "–"


def test_appendix_2_stands_beside_ours():
    section = pairs_section(every_row(single=()))
    (table,) = section.tables
    assert len(table.rows) == 24
    row = next(r for r in table.rows if r[:2] == ("deep Taylor", "shallow − convdeep"))
    assert (row[2].value, row[2].low, row[2].high) == (-0.2313, -0.2544, -0.2082)
    assert row[3].value < 0
    assert len(section.folded[0].rows) == 45 * 5 - 24
    assert len(section.folded[1].rows) == 5


def test_without_comparisons_the_section_is_empty():
    assert pairs_section([]).empty
    assert pairs_section([]).text == ""
