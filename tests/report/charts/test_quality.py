from holdfast.report.charts import quality
from tests.report.synthetic import make_findings

ROWS = make_findings().rows


def test_quality_figures():
    [accuracy], [deviation] = quality.accuracy(ROWS), quality.deviation(ROWS)
    assert [accuracy.data["part"].count(part) for part in ("mean", "member")] == [2, 20]
    assert len(deviation) == 20


def test_no_rows_no_figures():
    assert quality.accuracy([]) == ()
    assert quality.deviation([]) == ()
