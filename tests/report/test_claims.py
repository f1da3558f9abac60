from holdfast.report.claims import answer_badge, both, claim_line, counted, not_run_table


def claim(verdict, detail=False, low=0.1):
    measured = {"value": 0.2, "low": low, "high": 0.3}
    about = {"claim": "it helps", "where": "sst2", "corrected": 0.0004, "corrected_worth": None}
    return about | {"verdict": verdict, "detail": detail, "measured": measured}


def test_details_are_not_counted():
    claims = [claim("came out"), claim("too small to matter"), claim("not decided"), claim("came out", True)]
    assert counted(claims) == (
        "Of 3 claims checked, 1 came out, 1 is above 0 but too small to matter, 0 did not, and 1 cannot be "
        "decided."
    )


def test_a_claim_in_a_line():
    assert claim_line(claim("came out")) == "came out: it helps (sst2): +0.200 [+0.100, +0.300]"
    assert claim_line(claim("not decided", low=None)) == "not decided: it helps (sst2): +0.200"


def test_both_p_and_the_mark():
    assert both(claim("came out")) == ("< 0.001", "–")
    assert [answer_badge(word).sign for word in ("came out", "did not come out")] == ["●", "○"]


def test_what_was_not_run_is_listed_once():
    lines = [
        {"table": "1", "row": row, "measured": value} for row, value in (("a", 1.0), ("b", None), ("b", None))
    ]
    assert not_run_table(lines).rows == (("1", "b"),)
