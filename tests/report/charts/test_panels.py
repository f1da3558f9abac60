import pytest

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
    panels = spec(every_kind()["published"])["concat"]
    assert [panel["title"] for panel in panels] == [every_kind()["published"].data["column"][0], "KL"]
    assert [labels_of(panel) for panel in panels] == [True, False]


def labels_of(panel):
    (shown,) = {layer["encoding"]["y"]["axis"]["labels"] for layer in panel["layer"]}
    return shown


def scales_of(first, second):
    rows = [("1", "r", "jsd", *first, None, None, 2), ("1", "s", "jsd", *second, 0.0, 1.0, 2)]
    drawn = spec(Figure("k", "t", "c", "published", table("published", rows)))
    return {layer["encoding"]["x"]["scale"].get("type") for layer in drawn["layer"]}, drawn


def test_numbers_of_different_orders_are_on_a_logarithmic_scale():
    kinds, drawn = scales_of((1e-8, 1e-4), (0.02, 1e-3))
    assert kinds == {"log"}
    assert [record["low"] for record in next(iter(drawn["datasets"].values()))] == [None, 1e-8]
    assert ">1e" in svg(
        Figure("k", "t", "c", "published", table("published", [("1", "r", "j", 1e-8, 0.1, 0.0, 1.0, 2)]))
    )


@pytest.mark.parametrize("first", [(1e-4, 0.02), (0.0, 0.02), (-1e-8, 0.02), (None, 1e-3)])
def test_others_are_not(first):
    assert scales_of(first, (0.02, 0.05))[0] == {None}
