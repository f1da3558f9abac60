import math

import pytest
import torch

from holdfast.measure.claims import Answer, Estimate, all_corrected, as_cut, p_value, p_values, two_jackknives
from holdfast.measure.reduce import Interval
from tests.reference import claims as naive


def answer(value, p, p_worth, worth=0.01, above=0.0) -> Answer:
    measured = Interval(value, value - 0.01, value + 0.01, 7)
    return Answer("c", "w", "", "yes", measured, p, p, p_worth, p_worth, worth, above=above)


@pytest.mark.parametrize(
    ("value", "p", "p_worth", "worth", "verdict"),
    [
        (0.02, 0.01, 1.0, 0.01, "came out"),
        (0.007, 0.01, 0.2, 0.01, "too small to matter"),
        (0.007, 0.01, 0.2, 0.003, "came out"),
        (0.007, 0.2, 0.2, 0.01, "not decided"),
        (0.001, 0.2, 0.01, 0.01, "did not come out"),
        (-0.02, 0.01, 0.01, 0.01, "did not come out"),
        (-0.02, 0.01, 0.06, 0.01, "not decided"),
        (0.02, None, None, 0.01, "not decided"),
    ],
)
def test_an_effect_must_be_beyond_chance_and_worth_the_name(value, p, p_worth, worth, verdict):
    assert answer(value, p, p_worth, worth).verdict == verdict


@pytest.mark.parametrize(
    ("change", "p", "p_worth", "verdict"),
    [
        (-0.002, 0.01, 1.0, "came out"),
        (-0.009, 0.3, 1.0, "not decided"),
        (-0.02, 0.01, 0.01, "did not come out"),
    ],
)
def test_what_may_fall_by_a_margin_is_measured_from_there(change, p, p_worth, verdict):
    assert answer(change, p, p_worth, worth=0.0, above=-0.01).verdict == verdict


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
    p, p_worth = p_values(found, 0.2)
    assert p == p_value(0.1, 0.1, 9)
    assert p_worth == pytest.approx(min(1.0, 2 * p_value(0.1, 0.1, 9)))
    assert p_values(found._replace(freedom=1), 0.2) == (None, None)


@pytest.mark.parametrize(("value", "error"), [(0.7, 0.2), (0.1, 2.0), (-1.0, 0.4), (math.inf, None)])
def test_a_cut_never_exceeds_all_of_it(value, error):
    known = None if error is None else torch.tensor([error])
    cut = as_cut(Estimate(torch.tensor([value]), known, 9, 10))
    assert cut.value == pytest.approx(1 - math.exp(-value))
    assert (cut.low is None) == (error is None)
    if cut.low is not None and cut.high is not None:
        assert cut.low < cut.value < cut.high < 1.0


def test_holm_is_the_naive_one_and_leaves_the_undecided_alone():
    lines = [answer(0.1, p, p) for p in (0.01, None, 0.04, 0.03)]
    found = all_corrected(lines)
    assert [a.corrected for a in found if a.p is not None] == pytest.approx(naive.holm([0.01, 0.04, 0.03]))
    assert found[1] == lines[1]
