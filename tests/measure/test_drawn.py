"""The error that an impostor's draws cause: against the naive twin, and against drawing again and again."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.measure.drawn import Drawn
from holdfast.measure.hold import hold
from holdfast.measure.impostors import Distances, UntrainedOrder
from holdfast.measure.scale import scale_of
from tests.measure.builders import random_explanation
from tests.measure.scales import scale
from tests.reference import hold as reference


def drawn(dice, groups, turn, own=0.0, rows=0.1):
    """Distances of 0.5 and more: the rows' own, what every network adds to all of its rows, and noise."""
    shared = own * torch.randn(groups, int(turn.max()) + 1, generator=dice, dtype=torch.float64)
    noise = rows * torch.randn(groups, len(turn), generator=dice, dtype=torch.float64)
    return Drawn(0.5 + torch.arange(len(turn)) / len(turn) + shared[:, turn] + noise, turn)


@given(st.integers(2, 4), st.integers(2, 20), st.integers(1, 5), st.integers(0, 99))
def test_the_naive_twin_agrees(groups, count, turns, seed):
    dice = torch.Generator().manual_seed(seed)
    own = drawn(dice, groups, torch.randint(turns, (count,), generator=dice), own=0.1)
    assert own.variance() == pytest.approx(reference.of_draws(own.each.tolist(), own.turn.tolist()))


@pytest.mark.parametrize("own", [0.0, 0.05])
@pytest.mark.parametrize("groups", [2, 3])
def test_it_is_what_drawing_again_changes(groups, own):
    dice = torch.Generator().manual_seed(groups)
    turn = torch.arange(96) // 12 % 8
    tries = [drawn(dice, groups, turn, own) for _ in range(1500)]
    logs = torch.stack([one.each.mean().log() for one in tries])
    estimated = torch.tensor([one.variance() for one in tries], dtype=torch.float64).mean()
    assert float(estimated / logs.var()) == pytest.approx(1.0, abs=0.12)


def test_rows_that_share_a_network_do_not_count_as_many():
    dice = torch.Generator().manual_seed(0)
    one = drawn(dice, 2, torch.arange(200) // 25, own=0.05, rows=0.0)
    assert one.variance() > 5 * one._replace(turn=torch.arange(200)).variance()


def test_one_group_tells_nothing_and_instances_can_be_left_out():
    one = drawn(torch.Generator().manual_seed(0), 2, torch.arange(20) // 5)
    assert Drawn(one.each[:1], one.turn).variance() == 0.0
    some = torch.arange(20) < 10
    assert one.at(some).variance() == Drawn(one.each[:, :10], one.turn[:10]).variance()


def test_the_interval_includes_it():
    dice = torch.Generator().manual_seed(4)
    near, far = (torch.rand(10, 40, generator=dice, dtype=torch.float64) + by for by in (0.1, 0.8))
    one = drawn(dice, 2, torch.arange(40) // 5, own=0.2)
    plain = scale(near, untrained=far)
    table = plain.impostors["untrained"]
    with_draws = type(plain)(
        plain.between, {"untrained": Distances(table.pairs, table.known, one)}, plain.members
    )
    (before,), (after,) = hold(plain).against, hold(with_draws).against
    assert after.value == before.value
    assert after.error**2 == pytest.approx(before.error**2 + one.variance())
    assert after.drawn == pytest.approx((1 - after.value) * one.variance() ** 0.5)
    assert before.drawn == 0.0
    assert after.low < before.low < before.high < after.high


def test_untrained_order_knows_its_draws():
    given_ = random_explanation(4, 60, 8, seed=1)
    networks = torch.rand(2, 60, 8, generator=torch.Generator().manual_seed(2))
    turn = torch.arange(60) // 10
    tables = [UntrainedOrder(networks[k : k + 1]).distances(given_).pairs.values.mean(0) for k in range(2)]
    apart = Drawn(torch.stack(tables), turn)
    # the order of equal scores is drawn for each network, and there are none here
    whole = scale_of(given_, [UntrainedOrder(networks, turn)]).cpu().impostors["untrained order"]
    torch.testing.assert_close(whole.drawn.each, apart.each)
    assert hold(scale_of(given_, [UntrainedOrder(networks, turn)])).against[0].drawn > 0
