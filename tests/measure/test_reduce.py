import pytest
import scipy.stats
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.compare.tvd import Tvd
from holdfast.core.errors import BadSetting
from holdfast.measure.pairing import Pairs, over_members
from holdfast.measure.reduce import (
    Interval,
    jackknife,
    leave_out,
    mean_over_members,
    over_instances,
    over_pairs,
    spread,
    t_quantile,
)
from tests.measure.builders import random_explanation
from tests.reference import measure as reference


def assert_near(result, expected):
    """An interval against (value, low, high), where the ends may be None."""
    for ours, theirs in zip((result.value, result.low, result.high), expected, strict=True):
        assert ours == (None if theirs is None else pytest.approx(theirs, abs=1e-9))


def square(pairs):
    """The table as nested lists, [i][j][b]."""
    table = [[None] * pairs.n for _ in range(pairs.n)]
    for value, i, j in zip(pairs.values.tolist(), pairs.left.tolist(), pairs.right.tolist(), strict=True):
        table[i][j] = value
    return table


@given(members=st.integers(2, 6), seed=st.integers(0, 99), some=st.booleans())
def test_over_pairs_is_the_naive_jackknife(members, seed, some):
    pairs = over_members(random_explanation(members, seed=seed), Tvd())
    select = torch.arange(6) % 2 == 0 if some else None
    instances = [0, 2, 4] if some else range(6)
    expected = reference.jackknife(
        list(range(members)),
        lambda kept: reference.pair_mean(kept, square(pairs), instances) if len(kept) > 1 else 0.0,
    )
    result = over_pairs(pairs, select)
    assert_near(result, expected)
    assert result.n == members


@given(values=st.lists(st.floats(-5, 5), min_size=3, max_size=6))
def test_jackknife_takes_any_estimate(values):
    x = torch.tensor(values, dtype=torch.float64)
    result = jackknife(lambda keep: x[keep].max().item(), len(values))
    assert (result.value, result.low, result.high) == pytest.approx(
        reference.jackknife(values, max), abs=1e-9
    )


def test_the_jackknife_of_a_mean_is_students_interval():
    x = torch.tensor([0.3, 0.9, 0.4, 0.7, 0.1], dtype=torch.float64)
    left, right = jackknife(lambda keep: x[keep].mean().item(), 5), mean_over_members(x)
    assert (left.value, left.low, left.high) == pytest.approx((right.value, right.low, right.high))


def test_the_t_interval_is_scipys():
    x = torch.tensor([0.3, 0.9, 0.4, 0.7, 0.1], dtype=torch.float64)
    result, many = mean_over_members(x), spread(x)
    ends = scipy.stats.t.interval(0.95, 4, loc=x.mean(), scale=scipy.stats.sem(x))
    assert (result.low, result.high) == pytest.approx(ends)
    assert many.sd == pytest.approx(x.numpy().std(ddof=1))
    assert t_quantile(9) == pytest.approx(scipy.stats.t.ppf(0.975, 9))


@given(*[st.floats(-3, 3)] * 3)
def test_an_interval_ends_with_its_range_and_keeps_its_value(value, one, other):
    low, high = sorted((one, other))
    cut = Interval(value, value - 1, value + 1, 3).within(low, high)
    assert (cut.value, cut.n) == (value, 3)
    assert cut.low <= value <= cut.high
    if low <= value <= high:
        assert (cut.low, cut.high) == (max(low, value - 1), min(high, value + 1))
    assert Interval(value, None, None, 1).within(low, high) == Interval(value, None, None, 1)


def test_too_few_members_have_no_ends():
    pairs = over_members(random_explanation(members=2), Tvd())
    assert over_pairs(pairs) == Interval(pairs.values.mean().item(), None, None, 2)
    assert mean_over_members(torch.tensor([0.5])) == Interval(0.5, None, None, 1)
    with pytest.raises(BadSetting, match=r"^expected a value for at least one member, but got none$"):
        spread(torch.tensor([]))


def test_nothing_selected_is_an_error():
    with pytest.raises(
        BadSetting, match=r"^expected at least one example to average over, but none is selected$"
    ):
        over_instances(torch.ones(2, 3), torch.zeros(3, dtype=torch.bool))


def simulated(draw, members, instances):
    """A member's effect shifts all its instances: value(i, j, b) = ½ + s_i + s_j + noise."""
    shift = 0.1 * torch.randn(members, generator=draw, dtype=torch.float64)
    left, right = torch.triu_indices(members, members, 1)
    noise = 0.05 * torch.randn(len(left), instances, generator=draw, dtype=torch.float64)
    return Pairs(0.5 + (shift[left] + shift[right])[:, None] + noise, left, right, members)


def test_the_jackknife_covers_where_a_bootstrap_over_instances_does_not():
    draw, runs = torch.Generator().manual_seed(0), 300
    ours = theirs = 0
    for _ in range(runs):
        pairs = simulated(draw, 8, 40)
        result = over_pairs(pairs)
        ours += result.low <= 0.5 <= result.high
        each = pairs.values.mean(0)
        again = each[torch.randint(40, (200, 40), generator=draw)].mean(1)
        low, high = again.quantile(torch.tensor([0.025, 0.975], dtype=torch.float64))
        theirs += bool(low <= 0.5 <= high)
    assert 0.90 <= ours / runs <= 0.99
    assert theirs / runs < 0.3


def test_leave_out_works_for_each_instance():
    pairs = over_members(random_explanation(members=4), Tvd())
    whole, left = leave_out(pairs.values, pairs)
    for b in range(6):
        one, rest = leave_out(pairs.values[:, b], pairs)
        assert torch.allclose(whole[b], one)
        assert torch.allclose(left[:, b], rest)
