import pytest

from holdfast.core.errors import BadSetting
from holdfast.report.charts.surface import LEVELS, bands, surface


def test_the_lowest_band_is_the_whole_plane():
    figure = surface("k", "t", "c", [0, 1, 2], [0, 1], [[0.0, 1.0, 2.0], [1.0, 2.0, 9.0]], {})
    found = bands(figure)
    whole = {(p["x"], p["y"]) for p in found if p["level"] == 0}
    assert {(0, 0), (2, 0), (2, 1), (0, 1)} <= whole
    assert {p["level"] for p in found} == set(range(LEVELS))


def test_a_loss_that_is_not_finite_counts_as_the_highest():
    figure = surface("k", "t", "c", [0, 1], [0, 1], [[0.0, 1.0], [1.0, float("inf")]], {})
    assert bands(figure) == bands(surface("k", "t", "c", [0, 1], [0, 1], [[0.0, 1.0], [1.0, 1.0]], {}))


def test_a_grid_of_another_shape_is_refused():
    with pytest.raises(
        BadSetting, match=r"^surface 'k': expected 1 rows of 2 values, but got another shape$"
    ):
        surface("k", "t", "c", [0, 1], [0], [[0.0]], {})
