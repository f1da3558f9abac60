from holdfast.report.charts import quality
from tests.report.synthetic import make_findings

ROWS = make_findings().rows


def test_quality_figures():
    [accuracy], [deviation], [reliability] = (
        quality.accuracy(ROWS),
        quality.deviation(ROWS),
        quality.reliability(ROWS),
    )
    assert [accuracy.data["part"].count(part) for part in ("mean", "member")] == [2, 20]
    assert len(deviation) == 20
    assert set(reliability.data["n"]) == {30, 90, 150, 210, 270}


def test_no_rows_no_figures():
    assert quality.accuracy([]) == ()
    assert quality.reliability([]) == ()
    assert quality.deviation([]) == ()
