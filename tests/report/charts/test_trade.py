"""What something costs against what it gives, as a record and as a drawing."""

from holdfast.measure.reduce import Interval
from holdfast.report.charts.draw import svg
from holdfast.report.charts.trade import trade

BARE = Interval(0.8, None, None, 2)
F1 = Interval(0.82, 0.80, 0.84, 10)
THINGS = [("aswa", F1, Interval(0.6, 0.5, 0.7, 10)), ("seat <b>", Interval(0.81, None, None, 2), F1)]


def test_a_point_carries_both_numbers_with_their_intervals() -> None:
    figure = trade("key", "Title", "Caption.", THINGS, ("F1", "hold"))
    first, second = figure.records()
    assert first == {
        "label": "aswa", "x": 0.82, "x_low": 0.80, "x_high": 0.84, "value": 0.6, "low": 0.5, "high": 0.7,
    }  # fmt: skip
    assert second["x_low"] is None
    assert (figure.x, figure.y, figure.kind) == ("F1", "hold", "crosses")


def test_a_cross_is_drawn_where_there_are_intervals_and_names_are_text() -> None:
    drawing = svg(trade("key", "Title", "Caption.", THINGS, ("F1", "hold")))
    alone = svg(trade("key", "Title", "Caption.", [THINGS[0]], ("F1", "hold")))
    bare = svg(trade("key", "Title", "Caption.", [("aswa", BARE, BARE)], ("F1", "hold")))
    assert alone.count('stroke-width="1.2"') == 2
    assert bare.count('stroke-width="1.2"') == 0
    assert ">aswa<" in drawing
    assert "<b>" not in drawing
