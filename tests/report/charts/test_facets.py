from holdfast.report.charts.curves import curves
from holdfast.report.charts.draw import spec, svg


def points(facets):
    return [(facet, "none", x, x, None, None) for facet in facets for x in (0.1, 0.9)]


def test_one_facet_is_one_panel_and_more_are_small_multiples():
    assert "facet" not in spec(curves("k", "t", "c", points(["a"])))
    assert spec(curves("k", "t", "c", points(["b", "a"])))["facet"]["sort"] == ["b", "a"]


def test_without_an_interval_no_band_is_drawn():
    bare = curves("k", "t", "c", points(["a"]))
    full = curves("k", "t", "c", [(*p[:4], p[3] - 0.1, p[3] + 0.1) for p in points(["a"])])
    shade = 'fill-opacity="0.16"' if 'fill-opacity="0.16"' in svg(full) else 'opacity="0.16"'
    assert shade in svg(full)
    assert svg(bare).count(shade) < svg(full).count(shade)
