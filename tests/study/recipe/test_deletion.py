"""Falls of the prediction are those that a loop finds."""

import math

import numpy as np
import pytest
import torch

from holdfast.measure.probes.shares import SHARES
from holdfast.study.recipe.deletion import affordable, drops

LENGTHS = [5, 3, 1, 4]
MASK = torch.arange(5) < torch.tensor(LENGTHS)[:, None]
WEIGHTS = torch.tensor(np.random.default_rng(0).normal(size=(4, 5)))


def watch(places, keep):
    """A product of two kinds, so that positions are not additive."""
    assert not (keep & ~MASK[places]).any(), "what is not there cannot be kept"
    return torch.sigmoid((WEIGHTS[places] * keep).sum(1)) ** 2


def naive(row, order):
    """Remove the first of an order, one share after the other."""
    size, falls = LENGTHS[row], []
    for share in SHARES:
        gone = order[: min(size - 1, math.ceil(size * share / 100))]
        keep = MASK[row].clone()
        keep[list(gone)] = False
        falls.append(float(watch(torch.tensor([row]), MASK[[row]]) - watch(torch.tensor([row]), keep[None])))
    return sum(falls) / len(falls)


def test_falls_are_those_of_a_loop():
    found = drops(watch, {"mine": WEIGHTS}, MASK, seed=0)
    alone = []
    for row, size in enumerate(LENGTHS):
        order = sorted(range(size), key=lambda p: -float(WEIGHTS[row, p]))
        assert float(found["by/mine"][row]) == pytest.approx(naive(row, order))
        one = watch(torch.tensor([row]), MASK[[row]])
        cost = [
            float(one - watch(torch.tensor([row]), (MASK[row] & (torch.arange(5) != p))[None]))
            for p in range(size)
        ]
        order = sorted(range(size), key=lambda p: -cost[p])
        alone.append(naive(row, order))
    assert found["alone"].tolist() == pytest.approx(alone)
    assert found["random"][2] == 0, "of one position nothing is removed"


def test_random_orders_are_of_the_seed():
    a, again, b = (drops(watch, {"mine": WEIGHTS}, MASK, seed)["random"] for seed in (0, 0, 1))
    assert torch.equal(a, again)
    assert not torch.equal(a, b)


def test_scores_that_are_all_the_same_do_as_chance_does():
    wide = torch.ones(50, 12).bool()
    weights = torch.linspace(2, 0, 12).double()
    fall = drops(lambda p, k: torch.sigmoid((weights * k).sum(1)), {"even": torch.ones(50, 12)}, wide, 0)
    assert abs(float(fall["by/even"].mean() - fall["random"].mean())) < 0.002
    assert float(fall["alone"].mean()) > float(fall["random"].mean()) + 0.01


def test_too_many_positions_are_not_asked():
    assert drops(watch, {"mine": WEIGHTS}, torch.ones(40, 10**5).bool(), 0) == {}
    assert len(affordable(torch.ones(3, 10).bool(), 1)) == 3
