from holdfast.report.charts.draw import svg
from holdfast.report.charts.surface import LEVELS
from tests.report.charts.cases import every_kind


def test_every_level_of_a_surface_is_one_filled_path():
    assert svg(every_kind()["surface"]).count('fill-opacity="0.07"') == LEVELS


def test_the_grid_has_no_line_in_the_legend():
    drawing = svg(every_kind("plain")["surface"])
    assert ">plain<" in drawing
    assert ">aswa<" in drawing


def test_every_seed_is_named_where_it_ends():
    assert ">1<" in svg(every_kind()["paths"])
