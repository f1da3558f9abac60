"""Draws depend on the member, the name and the counters, and on nothing else."""

import itertools

import pytest
import torch
from scipy.stats import kstest, pearsonr

from holdfast.core.draws import expanded, fill_uniform, generator, normal, permutation, seed_of, uniform
from holdfast.core.records import Member
from tests.reference import adversaries


@pytest.mark.parametrize(
    ("arguments", "seed"),
    [
        ((Member(0), "init"), 4989414193392501585),
        ((Member(3, 1), "rows", 2, 5), 7542878778391177255),
        ((None, "schedule", 1), 212821457492858811),
    ],
)
def test_seeds_stay_what_they_are(arguments, seed):
    """Another seed would silently be another re-train of every published number."""
    assert seed_of(*arguments) == seed


def test_numbers_stay_what_they_are():
    numbers = uniform((3,), Member(0), "noise/states", 1, 0)
    torch.testing.assert_close(numbers, torch.tensor([0.8768342, 0.521933, 0.6771584]), rtol=0, atol=1e-7)


def test_every_part_of_a_name_counts():
    names = [
        *itertools.product(
            (None, Member(0), Member(1), Member(0, 0), Member(0, 1)), ("a", "b"), ((), (0,), (1,), (0, 0))
        ),
        (Member(1), "a", (1, 11)),
        (Member(1), "a", (11, 1)),
        (Member(11), "a", (1, 1)),
    ]
    seeds = {seed_of(member, name, *counters) for member, name, counters in names}
    assert len(seeds) == len(names)
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_what_ran_before_does_not_matter():
    first = uniform((4,), Member(2), "x", 1)
    torch.manual_seed(5)
    uniform((9,), Member(1), "x", 1)
    state = torch.get_rng_state()
    assert torch.equal(uniform((4,), Member(2), "x", 1), first)
    assert torch.equal(torch.get_rng_state(), state), "torch's own generator was touched"


def test_more_numbers_begin_with_the_same():
    assert torch.equal(uniform((3, 4), Member(0), "x")[:2], uniform((2, 4), Member(0), "x"))


def test_uniform_numbers_are_uniform_and_members_independent():
    one, two = (uniform((4000,), Member(seed), "x").numpy() for seed in (0, 1))
    assert one.min() >= 0
    assert one.max() < 1
    assert kstest(one, "uniform").pvalue > 0.01
    assert abs(pearsonr(one, two).statistic) < 0.05


def test_numbers_that_follow_from_two_are_those_of_the_twin():
    drawn = uniform((3, 2), None, "pair")
    for row, pair in zip(drawn, drawn.tolist(), strict=True):
        assert expanded(row[None], 7, 2)[0].tolist() == adversaries.expanded(*pair, 7, 2)
        expected = torch.tensor(adversaries.normal(*pair, 7, 2), dtype=torch.float64)
        torch.testing.assert_close(normal(row[None].double(), 7, 2)[0], expected)


def test_numbers_that_follow_from_two_are_as_good_as_drawn():
    drawn = uniform((500, 2), None, "pairs")
    first, other = expanded(drawn, 40), expanded(drawn, 40, 1)
    assert kstest(first.flatten(), "uniform").pvalue > 0.01
    assert kstest(normal(drawn, 40).flatten(), "norm").pvalue > 0.01
    for one, two in ((first[:, :-1], first[:, 1:]), (first[:-1], first[1:]), (first, other)):
        assert abs(pearsonr(one.flatten(), two.flatten()).statistic) < 0.02
    assert first.unique().numel() > 19_900
    assert first.max() < 1


def test_a_permutation_has_everything_once():
    order = permutation(50, Member(0), "rows", 1)
    assert sorted(order.tolist()) == list(range(50))
    assert order.tolist() != permutation(50, Member(0), "rows", 2).tolist()
    assert permutation(0, None, "rows").tolist() == []


def test_generators_are_fresh_each_time():
    a, b = generator(None, "x"), generator(None, "x")
    assert a is not b
    assert torch.equal(torch.rand(2, generator=a), torch.rand(2, generator=b))


def test_a_buffer_is_filled_with_the_same_numbers_whatever_the_dice_did_before():
    buffer, dice = torch.full((3, 4), 9.0), torch.Generator()
    place = buffer.data_ptr()
    fill_uniform(buffer, dice, Member(2), "noise/states", 1, 5)
    first = buffer.clone()
    torch.testing.assert_close(first, uniform((3, 4), Member(2), "noise/states", 1, 5), rtol=0, atol=0)
    fill_uniform(buffer, dice, Member(2), "noise/states", 1, 6)
    assert not torch.equal(buffer, first)
    torch.rand(7, generator=dice)
    fill_uniform(buffer, dice, Member(2), "noise/states", 1, 5)
    assert torch.equal(buffer, first)
    assert buffer.data_ptr() == place, "a graph that was captured reads this very buffer"
