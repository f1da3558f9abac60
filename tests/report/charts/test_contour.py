import math

from hypothesis import given
from hypothesis import strategies as st

from holdfast.report.charts.contour import one_path, rings
from tests.reference.report import winding


def area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1], strict=True)) / 2


grids = st.tuples(st.integers(2, 6), st.integers(2, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(st.floats(0, 1), min_size=shape[0], max_size=shape[0]), min_size=shape[1], max_size=shape[1]
    )
)


@given(grids, st.floats(0.05, 0.95))
def test_rings_run_once_around_what_is_high_and_not_around_what_is_low(values, level):
    xs, ys = list(range(len(values[0]))), list(range(len(values)))
    found = rings(xs, ys, values, level)
    for j in ys[1:-1]:
        for i in xs[1:-1]:
            if abs(values[j][i] - level) > 1e-3:
                assert winding(found, i, j) == (values[j][i] >= level)


@given(grids, st.floats(0.05, 0.95))
def test_one_path_encloses_what_the_rings_enclose(values, level):
    found = rings(list(range(len(values[0]))), list(range(len(values))), values, level)
    assert math.isclose(area(one_path(found)), sum(map(area, found)), abs_tol=1e-9)


def test_a_disc_has_its_area():
    xs = [-2 + 4 * i / 80 for i in range(81)]
    [ring] = rings(xs, xs, [[-(x * x) - y * y for x in xs] for y in xs], -1.0)
    assert math.isclose(area(ring), math.pi, rel_tol=2e-3)


def test_a_hole_runs_the_other_way_and_the_frame_is_followed():
    xs = [-2 + 4 * i / 80 for i in range(81)]
    found = rings(xs, xs, [[x * x + y * y for x in xs] for y in xs], 1.0)
    assert math.isclose(sum(map(area, found)), 16 - math.pi, rel_tol=1e-3)
    assert min(map(area, found)) < 0


def test_nothing_high_has_no_rings():
    assert rings([0, 1], [0, 1], [[0.0, 0.0], [0.0, 0.0]], 0.5) == []
