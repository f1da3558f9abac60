import math

import pytest
import scipy.stats
import torch
from scipy.stats import t

from holdfast.measure.matters import Matters, ask_matters, matters
from holdfast.measure.reduce import Interval


def test_the_formula_naively():
    dice = torch.Generator().manual_seed(0)
    drop, random, best = (
        torch.rand(4, 6, generator=dice, dtype=torch.float64) + by for by in (0.5, 0.0, 1.0)
    )

    def share(members):
        pick = [(m, k) for m in members for k in range(6)]
        above = sum(float(drop[p] - random[p]) for p in pick)
        return above / sum(float(best[p] - random[p]) for p in pick)

    whole = share(range(4))
    left = [share([m for m in range(4) if m != out]) for out in range(4)]
    of_members = 3 / 4 * sum((one - sum(left) / 4) ** 2 for one in left)
    scale = float((best - random).mean())
    left_over = (drop - random - whole * (best - random)).tolist()
    rest = [sum(row[k] for row in left_over) / 4 / scale for k in range(6)]
    of_instances = sum(x**2 for x in rest) / 5 / 6
    half = t.ppf(0.975, 3) * math.sqrt(of_members + of_instances)
    measured = matters(drop, random, best).share
    assert (measured.value, measured.low, measured.high) == pytest.approx((whole, whole - half, whole + half))


def test_a_random_order_matters_nothing_and_leave_one_out_all():
    dice = torch.Generator().manual_seed(0)
    random, best = torch.rand(5, 9, generator=dice), torch.rand(5, 9, generator=dice) + 1
    assert matters(random, random, best).share.value == 0.0
    assert matters(best, random, best).share.value == pytest.approx(1.0)


def test_where_nothing_can_be_gained_there_is_no_share():
    same = torch.ones(3, 4)
    assert matters(same, same, same) is None


def test_two_members_have_no_interval():
    assert matters(torch.ones(2, 3), torch.zeros(2, 3), torch.ones(2, 3)).share.low is None


def test_one_member_is_judged_by_its_examples():
    dice = torch.Generator().manual_seed(0)
    drop, random = (torch.rand(1, 40, generator=dice, dtype=torch.float64) + more for more in (0.5, 0.0))
    best = random + 1
    asked = ask_matters(matters(drop, random, best))
    rest = (drop - random)[0] - asked.value
    half = scipy.stats.t.ppf(0.975, 39) * (rest.var() / 40).sqrt().item()
    assert (asked.value, asked.high - asked.value) == pytest.approx(((drop - random).mean().item(), half))
    assert ", beyond a random order in this one model" in asked.because
    assert matters(drop[:, :1], random[:, :1], best[:, :1]).share.low is None


@pytest.mark.parametrize(
    ("value", "low", "high", "answer", "little"),
    [
        (1.35, 1.2, 1.5, "passed", False),
        (0.4, 0.3, 0.5, "passed", True),
        (0.25, 0.1, 0.4, "undecided", True),
        (0.1, 0.0, 0.2, "failed", False),
        (-0.3, -0.4, -0.2, "failed", False),
        (0.9, None, None, "undecided", False),
    ],
)
def test_a_fifth_of_what_leave_one_out_gains_matters(value, low, high, answer, little):
    asked = ask_matters(Matters(Interval(value, low, high, 5), 0.4, 0.1, 0.5))
    assert (asked.name, asked.answer, asked.limit) == ("matters", answer, 0.2)
    assert (asked.value, asked.low, asked.high) == (value, low, high)
    assert asked.words == (() if answer == "passed" else ("does not matter",))
    assert asked.because.endswith(": it matters little") == little


def test_where_nothing_can_be_gained_nobody_is_asked():
    asked = ask_matters(None)
    assert (asked.answer, asked.because) == (
        "not asked",
        "deleting in leave-one-out's order costs no more than deleting at random",
    )
