import math

import pytest
import torch

from holdfast.measure.estimate import Estimate, as_cut, as_ratio, p_value, p_values, together, two_jackknives


def test_several_numbers_at_once_are_each_alone():
    table = torch.rand(4, 5, generator=torch.Generator().manual_seed(0)).double()
    both = two_jackknives(lambda m, g: torch.stack([table[m][:, g].mean(), table[m][:, g].max()]), 4, 5)
    one = two_jackknives(lambda m, g: table[m][:, g].max()[None], 4, 5)
    assert both.value[1] == one.value[0]
    assert both.error[1] == one.error[0]


def test_an_error_of_nothing_is_certain():
    assert (p_value(0.1, 0.0, 3), p_value(0.0, 0.0, 3)) == (0.0, 1.0)


def test_of_several_numbers_the_weakest_speaks():
    found = Estimate(torch.tensor([0.5, 0.1]), torch.tensor([0.1, 0.1]), 9, 10)
    p, p_least = p_values(found, 0.2)
    assert p == p_value(0.1, 0.1, 9)
    assert p_least == pytest.approx(min(1.0, 2 * p_value(0.1, 0.1, 9)))
    assert p_values(found._replace(freedom=1), 0.2) == (None, None)


@pytest.mark.parametrize(("value", "error"), [(0.7, 0.2), (0.1, 2.0), (-1.0, 0.4), (math.inf, None)])
def test_a_cut_never_exceeds_all_of_it(value, error):
    known = None if error is None else torch.tensor([error])
    cut = as_cut(Estimate(torch.tensor([value]), known, 9, 10))
    assert cut.value == pytest.approx(1 - math.exp(-value))
    assert (cut.low is None) == (error is None)
    if cut.low is not None and cut.high is not None:
        assert cut.low < cut.value < cut.high < 1.0


@pytest.mark.parametrize(("value", "ratio"), [(0.7, math.exp(0.7)), (-3.0, math.exp(-3.0)), (math.inf, 1e12)])
def test_a_ratio_is_how_many_times_and_finite(value, ratio):
    found = as_ratio(Estimate(torch.tensor([value], dtype=torch.float64), None, 9, 10))
    assert (found.value, found.low, found.high) == (pytest.approx(ratio), None, None)
    known = as_ratio(Estimate(torch.tensor([0.0]), torch.tensor([50.0]), 9, 10))
    assert (known.value, known.low, known.high) == (1.0, pytest.approx(1e-12), pytest.approx(1e12))


def test_estimates_together_have_an_error_only_where_all_have_one():
    one, other = (Estimate(torch.tensor([v]), torch.tensor([v / 10]), 9, n) for v, n in ((0.5, 10), (0.1, 3)))
    both = together([one, other])
    assert (both.value.tolist(), both.n) == ([one.value.item(), other.value.item()], 3)
    assert both.error is not None
    assert together([one, other._replace(error=None, freedom=1)])[1:] == (None, 1, 3)
