from holdfast.report.charts import encode
from holdfast.report.charts.curves import curves
from holdfast.report.charts.palette import SERIES, SHAPES
from tests.report.charts.cases import every_kind


def test_a_series_keeps_its_colour_and_shape_and_there_may_be_more_than_colours():
    points = [("", f"s{i}", 0.5, 0.1, None, None) for i in range(len(SERIES) + 1)]
    encoding = encode.series(curves("k", "t", "c", points))
    assert encoding["color"]["scale"]["range"] == [*SERIES, SERIES[0]]
    assert encoding["shape"]["scale"]["range"] == [*SHAPES, SHAPES[0]]


def test_one_series_needs_no_legend():
    assert encode.series(curves("k", "t", "c", [("", "s", 0.5, 0.1, None, None)]))["color"]["legend"] is None


def test_a_reference_line_for_each_mark():
    assert len(encode.marks(every_kind()["lines"], "y")) == 2
    assert encode.marks(every_kind()["paths"], "y") == []
