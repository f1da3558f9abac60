"""Points by group, as a record and as a drawing."""

import torch

from holdfast.data.interaction.attributes import Attribute
from holdfast.report.charts.draw import svg
from holdfast.report.charts.points import points

KINDS = Attribute.of("kind", [["a"], ["b"], [], ["a", "b"], []], ("b", "a"))
WHERE = torch.tensor([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0], [-1.0, -1.0], [4.0, 0.0]])


def test_groups_come_in_their_order_after_what_has_none():
    figure = points("key", "Title", "Caption.", WHERE, KINDS)
    assert figure.data["series"] == ("", "", "b", "a", "several")
    assert figure.data["x"] == (0.0, 1.0, 0.0, 0.5, -0.25)
    assert figure.caption == "Caption."
    drawing = svg(figure)
    assert ">several<" in drawing
    assert drawing.count('opacity="0.3"') == 2


def test_of_too_many_points_those_of_no_group_go_first():
    figure = points("key", "Title", "Caption.", WHERE, KINDS, most=4)
    assert figure.data["series"] == ("", "b", "a", "several")
    assert figure.caption == (
        "Caption. Shown, drawn at random: 3 of the 3 points in a group, 1 of the 2 others."
    )
    assert points("key", "Title", "Caption.", WHERE, KINDS, most=4).data == figure.data


def test_the_largest_figure_is_small():
    many = Attribute.of("kind", [["a"], []] * 2000)
    assert len(svg(points("key", "Title", "Caption.", torch.randn(4000, 2), many))) < 200_000
