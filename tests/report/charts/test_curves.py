import pytest

from holdfast.core.errors import BadSetting
from holdfast.report.charts.curves import curves, published, word_bars
from holdfast.study.published_number import Published


def test_curves_keep_the_order_of_facets_and_series():
    points = [
        ("b", "s", 0.9, 1.0, None, None),
        ("a", "s", 0.1, 2.0, None, None),
        ("b", "s", 0.1, 3.0, 2.0, 4.0),
    ]
    figure = curves("k", "t", "c", points)
    assert figure.data["facet"] == ("b", "b", "a")
    assert figure.data["x"] == (0.1, 0.9, 0.1)


def test_a_value_for_each_token():
    with pytest.raises(BadSetting, match=r"^'none': expected 2 values, one per token, but got 1$"):
        word_bars("k", "t", "c", ["a", "b"], {"none": [0.1]})


def test_a_token_twice_is_two_bars_and_a_long_one_is_cut():
    figure = word_bars("k", "t", "c", ["a", "a", "x" * 10**6], {"none": [0.1, 0.2, 0.3]})
    assert figure.data["label"] == ("1  a", "2  a", "3  " + "x" * 39 + "…")


def test_published_has_a_figure_for_each_table():
    numbers = [Published(name, "r", "c", 1.0, None, None, None, 0) for name in ("4.2", "4.3")]
    figures = published("p", "Tables", "c", numbers)
    assert [figure.title for figure in figures] == ["Tables: 4.2", "Tables: 4.3"]
    assert [figure.key for figure in figures] == ["p-1", "p-2"]
