from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.draw import spec, svg
from tests.report.charts.cases import every_kind


def test_a_cell_without_a_value_is_left_empty():
    figure = Figure("k", "t", "c", "matrix", table("matrix", [("a", "b", 0.25), ("b", "b", None)]))
    drawing = svg(figure)
    assert ">0.25<" in drawing
    assert "null" not in drawing
    assert ">0.00<" not in drawing


def test_the_reliability_diagram_has_one_scale_on_both_axes():
    layers = spec(every_kind()["reliability"])["layer"]
    domains = {tuple(layer["encoding"][axis]["scale"]["domain"]) for layer in layers for axis in ("x", "y")}
    assert domains == {(0.4, 1)}


def test_published_columns_have_scales_of_their_own():
    assert spec(every_kind()["published"])["resolve"]["scale"] == {"x": "independent"}
