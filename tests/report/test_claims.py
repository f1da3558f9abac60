from dataclasses import replace

from holdfast.measure.claims import CAME, NOT, OPEN, SMALL, Claim
from holdfast.measure.reduce import Interval
from holdfast.report.claims import (
    answer_badge,
    claim_line,
    claims_section,
    claims_table,
    counted,
    not_run_table,
)
from holdfast.study.published_number import Published

HELPS = Claim("it helps", "sst2", "yes", Interval(0.2, 0.1, 0.3, 9), 0.0004, 1.0, 0.0004, 1.0)
ANSWERS = {
    CAME: HELPS,
    SMALL: replace(HELPS, least=0.25),
    NOT: replace(HELPS, p_holm=0.2, p_least_holm=0.01),
    OPEN: replace(HELPS, p_holm=None, p_least_holm=None, effect=Interval(0.2, None, None, 2)),
}
SPACE = "\N{NO-BREAK SPACE}"


def test_details_are_not_counted():
    claims = [ANSWERS[CAME], ANSWERS[SMALL], ANSWERS[OPEN], replace(ANSWERS[CAME], detail=True)]
    assert counted(claims) == (
        "Of 3 claims checked, 1 came out, 1 is above 0 but too small to matter, 0 did not, and 1 cannot be "
        "decided."
    )


def test_a_claim_in_a_line():
    assert claim_line(ANSWERS[CAME]) == "came out: it helps (sst2): +0.200 [+0.100, +0.300]"
    assert claim_line(ANSWERS[OPEN]) == "not decided: it helps (sst2): +0.200"
    cut = replace(HELPS, percent=True, before=0.2064, after=0.0412)
    assert claim_line(cut) == "came out: it helps (sst2): 20.0 % [10.0, 30.0], 0.206 → 0.0412"


def test_a_ratio_is_told_as_how_many_times_in_a_line_and_in_a_table():
    ratio = replace(
        HELPS, ratio=True, above=1.0, effect=Interval(2.0, 0.25, 3e9, 9), before=0.2, after=2.4e-7
    )
    assert claim_line(ratio) == "came out: it helps (sst2): × 2.00 [÷ 4.00, over × 10000], 0.2 → 2.4e-07"
    (row,) = claims_table([ratio]).rows
    assert (row[2].text, row[2].interval) == ("× 2.00", "[÷ 4.00, over × 10000]")
    assert row[3] == f"0.200{SPACE}→{SPACE}2.4e−7"


def test_a_claim_has_its_number_both_p_and_its_mark():
    (row,) = claims_table([HELPS]).rows
    assert (row[0], row[3:]) == ("it helps", ("yes", "sst2", "< 0.001", "1.000"))
    assert (row[1].word, row[2].text, row[2].interval) == ("came out", "0.200", "[0.100, 0.300]")
    rows = claims_table(list(ANSWERS.values())).rows
    assert [(row[1].word, row[1].tone) for row in rows] == [
        ("came out", "good"), ("too small to matter", "fair"), ("did not come out", "poor"),
        ("not decided", "fair"),
    ]  # fmt: skip
    assert [row[-1] for row in rows[2:]] == ["0.010", "–"]
    assert [answer_badge(word).sign for word in (CAME, NOT)] == ["●", "○"]


def test_columns_follow_what_claims_are_about():
    plain = ("claim", "came out?", "measured", "published", "where", "p of no effect", "p of enough")
    assert claims_table([HELPS]).columns == plain
    change = replace(HELPS, before=0.3, after=0.2, percent=True, weakest="cnn, b = 1")
    table = claims_table([change, HELPS])
    assert table.columns == (*plain[:3], f"before{SPACE}→{SPACE}after", *plain[3:])
    assert [row[3] for row in table.rows] == [f"0.300{SPACE}→{SPACE}0.200", "–"], "a change stays on a line"
    assert table.rows[0][0] == f"it helps (weakest: cnn, b{SPACE}={SPACE}1)"
    assert [row[2].share for row in table.rows] == [True, False]
    method = replace(HELPS, explainer="deep_taylor", detail=True)
    assert claims_table([method]).columns == ("claim", "method", *plain[1:3], *plain[4:])
    assert claims_table([method]).rows[0][1] == "deep Taylor"


def test_the_section_of_claims_has_the_claims_first_and_details_behind():
    lines = [HELPS, replace(HELPS, detail=True, where="sst2, cnn", weakest="a_b")]
    section = claims_section(lines, "Each model", "In points.", name=str.upper, where=str.title)
    assert section.title == "What the document claims"
    assert [row[-3] for row in section.tables[0].rows] == ["Sst2"]
    assert section.tables[0].caption.startswith("In points. Both p are corrected")
    assert section.folded[0].title == "Each model"
    assert section.folded[0].rows[0][0] == "it helps (weakest: A_B)"


NOTES = {"HR@10": "not run: no ratings", "HR@10 sd": ""}


def test_what_was_not_run_is_listed_once():
    lines = [
        Published("1", row, "accuracy", 1.0, value, None, None, 0)
        for row, value in (("a", 1.0), ("b", None), ("b", None))
    ]
    assert not_run_table(lines).rows == (("1", "b"),)
    why = [Published("1", "b", column, 1.0, None, None, None, 0, note) for column, note in NOTES.items()]
    assert not_run_table([*lines, *why]).rows == (("1", "b (no ratings)"),)
