import math

import pytest
from scipy import stats

from holdfast.measure.studentised import beyond, quantile


@pytest.mark.parametrize("groups", [2, 3, 10, 30])
@pytest.mark.parametrize("freedom", [1, 2, 5, 52, 500])
def test_it_is_scipys(groups: int, freedom: int) -> None:
    for q in (0.1, 1.0, 3.3, 9.0):
        expected = float(stats.studentized_range.sf(q, groups, freedom))
        assert beyond(q, groups, freedom) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("freedom", [1, 3, 20, 1000])
def test_of_two_groups_it_is_students_t(freedom: int) -> None:
    for q in (0.0, 0.5, 2.0, 6.0):
        assert beyond(q, 2, freedom) == pytest.approx(2 * stats.t.sf(q / math.sqrt(2), freedom), abs=1e-8)


def test_the_ends() -> None:
    assert beyond(0.0, 5, 9) == pytest.approx(1)
    assert beyond(1e9, 5, 9) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("groups", "freedom"), [(2, 4), (4, 52), (10, 130)])
def test_quantiles_are_scipys_and_are_exceeded_as_often_as_they_say(groups: int, freedom: int) -> None:
    q = quantile(groups, freedom)
    assert beyond(q, groups, freedom) == pytest.approx(0.05, abs=1e-12)
    assert q == pytest.approx(float(stats.studentized_range.ppf(0.95, groups, freedom)), abs=1e-6)
    assert quantile(groups, freedom, 0.99) > q
