from holdfast.report.charts import repaired
from tests.report.synthetic import make_findings

ROWS = make_findings().rows


def test_gain_and_cost():
    [gain], [cost] = repaired.gain(ROWS), repaired.cost(ROWS)
    assert gain.unique("series") == ["aswa"]
    assert cost.data["value"] == (0.004,)


def test_no_rows_no_figures():
    assert repaired.gain([]) == ()
    assert repaired.cost([]) == ()
