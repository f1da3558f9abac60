from holdfast.report.repairs import repairs
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_findings

ROWS = make_findings().rows


def test_repairs_show_before_and_after():
    [table] = repairs(ROWS).tables
    before, after, gain = table.rows[0][2:5]
    assert (before.value, after.value) == (0.3, 0.44)
    assert abs(gain.value - 0.14) < 1e-9


def test_random_scores_cannot_be_repaired():
    random = Measurement("planted", "cnn", "aswa", "gain", 0.0, explainer="random")
    assert repairs([*ROWS, random]).tables == repairs(ROWS).tables


def test_without_a_repair_there_is_nothing_to_say():
    assert repairs([row for row in ROWS if row.repair == "none"]).empty
