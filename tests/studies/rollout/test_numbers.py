import pytest
import torch

from holdfast.measure.grouped import GROUP, mean_over_both
from holdfast.measure.reduce import Interval
from holdfast.studies.rollout.numbers import groups, numbers, over_both, row
from tests.study.rollout_families import family

VALUES = torch.rand(3, 24, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def found(values=VALUES, known=None):
    return list(numbers(family(), "correlation", values, {"explainer": "a", "other_explainer": "b"}, known))


def test_the_mean_has_the_interval_over_seeds_and_users():
    whole = found()[0]
    expected = mean_over_both(VALUES, torch.ones(3, 24, dtype=torch.bool), groups(24))
    assert (whole.value, whole.low, whole.high, whole.n) == tuple(vars(expected).values())
    assert over_both(VALUES) == expected


def test_the_published_deviation_is_over_users():
    rows = [r for r in found() if r.quantity == "correlation_sd"]
    each = VALUES.numpy().std(1)
    assert [r.value for r in rows if r.by == "member"] == pytest.approx(each.tolist())
    assert next(r.value for r in rows if r.by == "all") == pytest.approx(each.mean())


def test_groups_give_the_members_means_back():
    rows = found()
    for member in range(3):
        own = [r for r in rows if r.by == GROUP and r.member == str(member)]
        assert sum(r.n for r in own) == 24
        assert sum(r.value * r.n for r in own) / 24 == pytest.approx(VALUES[member].mean().item())
        mean = next(r for r in rows if (r.by, r.member, r.quantity) == ("member", str(member), "correlation"))
        assert mean.value == pytest.approx(VALUES[member].mean().item())


def test_what_is_not_known_does_not_count():
    known = VALUES > 0.5
    known[2] = False
    rows = found(known=known)
    assert {r.member for r in rows if r.by == "member"} == {"0", "1"}
    first = next(r for r in rows if (r.by, r.member, r.quantity) == ("member", "0", "correlation"))
    assert first.value == pytest.approx(VALUES[0][known[0]].mean().item())
    assert found(known=torch.zeros_like(known)) == []


def test_groups_are_tenths_and_the_same_every_time():
    assert torch.equal(groups(24), groups(24))
    assert groups(30).bincount().tolist() == [3] * 10
    assert sorted(groups(4).tolist()) == [0, 1, 2, 3]


def test_a_row_carries_its_interval():
    one = row(family(), "entropy", Interval(1.0, 0.5, 1.5, 3), explainer="a")
    assert (one.value, one.low, one.high, one.n, one.explainer) == (1.0, 0.5, 1.5, 3, "a")
    assert row(family(), "entropy", 2.0).low is None
