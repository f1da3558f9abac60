from holdfast.report.models import MEANT, QUALITIES, models, quality_table
from tests.report.synthetic import make_findings

ROWS = make_findings().rows


def test_every_number_is_explained_where_it_stands_with_its_direction():
    table = quality_table(ROWS)
    assert table.columns[:4] == ("model", "repair", "accuracy ↑", "sd over seeds")
    assert {"macro-F1 ↑", "deviation ↓"} <= set(table.columns)
    assert all(MEANT[name] in table.caption for name in QUALITIES if name in MEANT and name != "recall")


def test_every_axis_says_which_way_is_better():
    section = models(ROWS)
    [accuracy], [deviation] = section.figures, section.hidden
    assert accuracy.x == "accuracy (higher is better)"
    assert deviation.y == "standard deviation over seeds (lower is better)"
