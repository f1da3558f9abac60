import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import Member
from holdfast.measure.hold import (
    Against,
    hold,
    hold_each,
    hold_members,
    leave_out_holds,
    members_to_settle,
    unseen_share,
)
from holdfast.measure.impostors import Distances, Shuffled
from holdfast.measure.pairing import Pairs
from holdfast.measure.scale import Scale, scale_of
from tests.measure.builders import explanation, random_explanation
from tests.measure.scales import scale
from tests.reference import hold as reference


@given(st.integers(3, 6), st.integers(2, 9), st.integers(0, 99))
def test_the_naive_twin_agrees(n, instances, seed):
    dice = torch.Generator().manual_seed(seed)
    count = n * (n - 1) // 2
    near, far = (torch.rand(count, instances, generator=dice, dtype=torch.float64) + 0.1 for _ in range(2))
    measured = hold(scale(near, shuffled=far))
    pairs = list(zip(*(end.tolist() for end in torch.triu_indices(n, n, 1)), strict=True))
    tables = ({pair: row.tolist() for pair, row in zip(pairs, table, strict=True)} for table in (near, far))
    expected = reference.hold(*tables, n)
    assert (measured.value, measured.low, measured.high) == pytest.approx(expected)


def test_the_nearest_impostor_counts_and_ends_are_the_least():
    dice = torch.Generator().manual_seed(0)
    near, one, two = (torch.rand(10, 40, generator=dice) + by for by in (0.0, 1.0, 0.6))
    measured = hold(scale(near, shuffled=one, another=two))
    assert measured.nearest == "another"
    assert measured.value == min(a.value for a in measured.against)
    assert measured.low == min(a.low for a in measured.against)
    assert measured.high == min(a.high for a in measured.against)


def test_only_selected_instances_count():
    dice = torch.Generator().manual_seed(0)
    near, far = torch.rand(6, 8, generator=dice), torch.rand(6, 8, generator=dice) + 1
    select = torch.arange(8) < 3
    assert hold(scale(near, r=far), select) == hold(scale(near[:, :3], r=far[:, :3]))
    assert hold(scale(near, r=far), torch.zeros(8, dtype=torch.bool)) is None


def test_the_same_again_is_1_without_an_interval_and_what_nothing_changes_is_0():
    zero, far = torch.zeros(3, 4), torch.ones(3, 4)
    same, nothing = hold(scale(zero, r=far)), hold(scale(zero, r=zero))
    assert (same.value, same.low, same.high) == (1.0, None, None)
    assert (nothing.value, nothing.low, nothing.high) == (0.0, 0.0, 0.0)


def test_two_members_have_no_interval():
    measured = hold(scale(torch.full((1, 4), 0.2), r=torch.full((1, 4), 0.4)))
    assert (measured.value, measured.low, measured.high) == (pytest.approx(0.5), None, None)


def test_where_members_say_the_same_another_impostor_has_the_interval():
    """One impostor is known only of instances on which members agree entirely."""
    dice = torch.Generator().manual_seed(0)
    near, far = torch.rand(10, 8, generator=dice), torch.rand(10, 8, generator=dice) + 1
    near[:, :4] = 0.0
    left, right = torch.triu_indices(5, 5, 1)
    first, all_ = torch.arange(8) < 4, torch.ones(8, dtype=torch.bool)
    tables = {
        "some": Distances(Pairs(far, left, right, 5), first),
        "all": Distances(Pairs(far, left, right, 5), all_),
    }
    measured = hold(Scale(Pairs(near, left, right, 5), tables, tuple(map(Member, range(5)))))
    alone = hold(scale(near, all=far))
    assert (measured.nearest, measured.low, measured.high) == ("all", alone.low, alone.high)


def test_each_instance_is_the_selection_of_that_instance():
    scale_ = scale_of(random_explanation(members=4, noise=0.5), [Shuffled()])
    each = hold_each(scale_)
    for b in range(6):
        one, own = hold(scale_, torch.arange(6) == b), each.interval(b)
        assert (own.value, own.low, own.high) == pytest.approx((one.value, one.low, one.high))


def test_instances_without_an_impostor_have_no_hold():
    each = hold_each(scale_of(explanation(torch.arange(12.0).view(3, 4, 1)), [Shuffled()]))
    assert not each.known.any()
    assert each.interval(0) is None


def test_batch_composition_changes_nothing():
    given_ = random_explanation(members=3, examples=8)
    whole = hold_each(scale_of(given_, [Shuffled()], torch.arange(8)))
    part = torch.tensor([6, 2])
    few = explanation(given_.scores[:, part], given_.mask[part])
    assert torch.allclose(hold_each(scale_of(few, [Shuffled()], part)).value, whole.value[part])


def test_the_order_of_members_changes_nothing():
    given_ = random_explanation(members=4)
    turned = explanation(given_.scores.flip(0), given_.mask, seeds=[3, 2, 1, 0])
    one, other = (hold(scale_of(e, [Shuffled()])) for e in (given_, turned))
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_members_own_holds_find_the_odd_one_out():
    scores = torch.eye(5, dtype=torch.float64).expand(4, 5, 5).clone()
    scores[2] = scores[2].roll(1, -1)
    holds = hold_members(scale_of(explanation(scores), [Shuffled()]))
    assert holds.argmin().item() == 2
    assert holds[0] > 0.5 > holds[2]


def test_leaving_one_out_is_the_hold_of_the_rest():
    given_ = random_explanation(members=5)
    whole = scale_of(given_, [Shuffled()])
    value, left = leave_out_holds(whole)
    assert float(value) == pytest.approx(hold(whole).value)
    for out in range(5):
        rest = [Member(i) for i in range(5) if i != out]
        assert float(left[out]) == pytest.approx(hold(whole.keep(rest)).value)


def test_random_scores_do_not_hold_and_a_common_order_does():
    dice = torch.Generator().manual_seed(1)
    noise = torch.rand(6, 200, 8, generator=dice)
    measured = hold(scale_of(explanation(noise.tolist()), [Shuffled()]))
    assert measured.low < 0.02
    assert abs(measured.value) < 0.05
    common = torch.rand(200, 8, generator=dice).pow(3) + 0.02 * noise
    assert hold(scale_of(explanation(common.tolist()), [Shuffled()])).low > 0.9


@given(st.floats(0.05, 0.9), st.floats(0.01, 1.0), st.integers(3, 20), st.sampled_from([0.4, 0.7]))
def test_so_many_members_settle_it_and_one_fewer_does_not(value, error, n, limit):
    from scipy.stats import t

    one = Against("r", value, None, None, math.log(1 - value), error)
    needed = members_to_settle(one, n, limit)
    distance = abs(one.ratio - math.log(1 - limit))

    def half(more):
        return t.ppf(0.975, more - 1) * error * math.sqrt(n / more)

    if needed is None:
        assert half(50) > distance
    else:
        assert half(needed) <= distance
        assert needed == n + 1 or half(needed - 1) > distance


def test_how_common_odd_members_could_be_unseen():
    assert [round(unseen_share(n), 2) for n in (5, 10, 20)] == [0.45, 0.26, 0.14]
