import random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.measure.grouped import in_groups, mean_over_both
from holdfast.measure.reduce import t_quantile
from tests.reference import localisation as reference


@given(
    seed=st.integers(0, 999), members=st.integers(2, 5), images=st.integers(3, 12), groups=st.integers(2, 3)
)
def test_the_interval_is_the_naive_one(seed, members, images, groups):
    draw = random.Random(seed)
    values = [[draw.random() for _ in range(images)] for _ in range(members)]
    known = [[draw.random() < 0.8 or image < groups for image in range(images)] for _ in range(members)]
    group = [image % groups for image in range(images)]
    found = mean_over_both(
        torch.tensor(values, dtype=torch.float64), torch.tensor(known), torch.tensor(group)
    )
    value, variance = reference.two_jackknives(values, known, group)
    assert found.value == pytest.approx(value)
    half = t_quantile(min(members, groups) - 1) * variance**0.5
    assert (found.low, found.high) == pytest.approx((value - half, value + half))
    assert found.n == members


def test_the_interval_covers_other_members_and_other_images():
    """Both are drawn anew: over members alone the truth is missed far too often."""
    draw = torch.Generator().manual_seed(0)
    hits = {"both": 0, "members": 0}
    for _ in range(300):
        member = 0.02 * torch.randn(7, 1, generator=draw)
        image = 0.3 * torch.randn(1, 100, generator=draw)
        values = member + image + 0.1 * torch.randn(7, 100, generator=draw)
        known = torch.ones(7, 100, dtype=torch.bool)
        for name, group in (
            ("both", torch.arange(100) % 10),
            ("members", torch.zeros(100, dtype=torch.long)),
        ):
            found = mean_over_both(values, known, group)
            hits[name] += found.low <= 0 <= found.high
    assert hits["both"] / 300 >= 0.92
    assert hits["members"] / 300 < 0.75


def test_a_single_member_has_no_interval():
    found = mean_over_both(torch.rand(1, 6), torch.ones(1, 6, dtype=torch.bool), torch.arange(6) % 3)
    assert (found.low, found.high, found.n) == (None, None, 1)


def test_sums_of_groups():
    sums, counts = in_groups(
        torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]]), torch.tensor([0, 1, 0])
    )
    assert (sums.tolist(), counts.tolist()) == ([[5.0, 0.0]], [[2.0, 0.0]])
