"""Models that can only be asked: the same deletions as those of our own, and as loops make."""

import math

import pytest
import torch

from holdfast.core.records import Explanation, Member
from holdfast.measure.probes.asked_drops import asked_drops
from holdfast.measure.probes.shares import SHARES


def given(members=3, examples=4, width=7, seed=0):
    """Members that add what is left in, examples of different lengths, one with a hole and one of one
    position."""
    dice = torch.Generator().manual_seed(seed)
    worth = torch.randn(members, examples, width, generator=dice, dtype=torch.float64)
    mask = torch.arange(width) < torch.tensor([width, 1, 4, 5][:examples])[:, None]
    mask[-1, 2] = False
    scores = torch.randn(members, examples, width, generator=dice, dtype=torch.float64) * mask
    target = torch.tensor([1, 0, 1, 1][:examples])

    def ask(keep):
        assert not (keep & ~mask).any()
        odds = (worth * keep).sum(-1).sigmoid()
        return torch.stack((1 - odds, odds), -1)

    about = (mask, target, tuple(map(Member, range(members))))
    return ask, Explanation(scores, *about, "mine", True), Explanation(scores.abs(), *about, "sizes", False)


def naive(ask, explanation, order_of):
    """The mean fall over the shares, example by example, in the order that a function says."""
    members, examples, width = explanation.scores.shape
    falls = torch.zeros(members, examples, dtype=torch.float64)
    for m in range(members):
        for b in range(examples):
            places = [t for t in range(width) if explanation.mask[b, t]]

            def said(left, m=m, b=b):
                keep = torch.zeros(members, examples, width, dtype=torch.bool)
                keep[m, b, left] = True
                return float(ask(keep)[m, b, explanation.target[b]])

            whole, order = said(places), order_of(m, b, places, said)
            for share in SHARES:
                gone = min(math.ceil(len(places) * share / 100 - 1e-9), len(places) - 1)
                falls[m, b] += (whole - said([t for t in places if t not in order[:gone]])) / len(SHARES)
    return falls


def test_drops_are_those_of_loops():
    ask, signed, sizes = given()
    whole = ask(signed.mask.expand_as(signed.scores))
    found = asked_drops(ask, whole, {"mine": signed, "sizes": sizes}, orders=2)
    for one in (signed, sizes):
        expected = naive(
            ask, one, lambda m, b, places, _, own=one: sorted(places, key=lambda t: -own.scores[m, b, t])
        )
        torch.testing.assert_close(found.by[one.method], expected)

    def alone(m, b, places, said):
        fall = {t: said(places) - said([own for own in places if own != t]) for t in places}
        return sorted(places, key=lambda t: -fall[t]) if len(places) > 1 else places

    torch.testing.assert_close(found.alone, naive(ask, signed, alone))


def test_random_orders_are_each_members_own_and_gain_nothing_on_average():
    ask, signed, _ = given(members=5, examples=4)
    whole = ask(signed.mask.expand_as(signed.scores))
    few, many = (asked_drops(ask, whole, {"mine": signed}, orders=orders).random for orders in (2, 400))
    assert (few[0] != few[1]).any()
    # in random order every position is as likely to be gone: the mean over all orders, by loops
    dice = torch.Generator().manual_seed(1)
    drawn = [
        naive(
            ask,
            signed,
            lambda m, b, places, _: [places[i] for i in torch.randperm(len(places), generator=dice)],
        )
        for _ in range(20)
    ]
    assert many.mean() == pytest.approx(torch.stack(drawn).mean().item(), abs=0.03)


def test_all_members_are_asked_at_once_and_the_same_is_asked_once():
    asked = []
    ask, signed, _ = given()

    def counted(keep):
        asked.append(keep)
        return ask(keep)

    whole = ask(signed.mask.expand_as(signed.scores))
    asked_drops(counted, whole, {"mine": signed}, orders=3)
    # 7 for leave-one-out; of up to 7 positions 1, 5 and 10 % are one, 20 % are two, 50 % are four
    assert len(asked) == 7 + 3 * (1 + 1 + 3)
    assert all(keep.shape == signed.scores.shape for keep in asked)
