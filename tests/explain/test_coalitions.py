"""Which coalitions are evaluated, and the values that follow from them."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.explain.coalitions import allot, coalitions, every, kernel, pairs_of, regression
from tests.examples import fewer
from tests.reference import shapley as naive


def game_of(n, seed, order=3):
    """A game with interactions up to an order, as a function of coalitions (S, n)."""
    generator = torch.Generator().manual_seed(seed)
    terms = [
        (torch.rand(n, generator=generator).argsort()[:size], torch.randn((), generator=generator).double())
        for size in range(1, order + 1)
        for _ in range(6)
    ]
    return lambda members: sum(weight * members[:, who].all(1).double() for who, weight in terms) + 0.3


def solve(chosen, game):
    n = chosen.members.shape[1]
    ends = game(torch.tensor([[False] * n, [True] * n]))
    worth = game(chosen.members)[None]
    values = chosen.values(worth, ends[:1], ends[1:])
    return values[0], chosen.errors(worth, ends[:1], ends[1:], values)[0], ends


def single(n, game):
    """The game as the twins want it."""
    number = torch.arange(2**n)
    worth = game((number[:, None] >> torch.arange(n)) & 1 == 1).tolist()
    return lambda some: worth[sum(2**i for i in some)]


@given(n=st.integers(1, 5), seed=st.integers(0, 99))
def test_exact_values_are_those_of_all_permutations(n, seed):
    game = game_of(n, seed)
    values, errors, _ = solve(every(n), game)
    torch.testing.assert_close(values, torch.tensor(naive.by_permutations(n, single(n, game))).double())
    assert not errors.any()


def test_exact_values_of_ten_players_are_those_of_all_coalitions():
    game = game_of(10, 4, order=5)
    expected = torch.tensor(naive.by_coalitions(10, single(10, game))).double()
    torch.testing.assert_close(solve(every(10), game)[0], expected)


@fewer(2)
@given(n=st.integers(13, 20), samples=st.integers(1, 300), seed=st.integers(0, 99))
def test_the_regression_is_that_with_a_multiplier(n, samples, seed):
    game, chosen = game_of(n, seed), regression(n, samples)
    pairs = len(chosen.members) // 2
    weighted = {}
    for size, count in enumerate(allot(n, samples // 2), 1):
        weight = pairs_of(n, size) * kernel(n, size) / count
        for row in chosen.members[:pairs][chosen.members[:pairs].sum(1) == size]:
            inside = frozenset(row.nonzero()[:, 0].tolist())
            weighted[inside] = weighted[frozenset(range(n)) - inside] = weight
    assert len(weighted) == 2 * pairs, "a coalition is evaluated twice"
    worth = {some: float(game(torch.tensor([[i in some for i in range(n)]]))[0]) for some in weighted}
    ends = {frozenset(range(k)): float(game(torch.arange(n)[None] < k)[0]) for k in (0, n)}
    expected = torch.tensor(naive.by_regression(n, {**worth, **ends}.__getitem__, weighted)).double()
    torch.testing.assert_close(solve(chosen, game)[0], expected, rtol=1e-7, atol=1e-9)


@given(n=st.integers(2, 16), seed=st.integers(0, 99))
def test_efficiency_and_additivity(n, seed):
    one, other, chosen = game_of(n, seed), game_of(n, seed + 1), coalitions(n, 128)
    values, _, ends = solve(chosen, one)
    torch.testing.assert_close(values.sum(), ends[1] - ends[0], rtol=1e-12, atol=1e-12)
    both = solve(chosen, lambda members: one(members) + other(members))[0]
    torch.testing.assert_close(both, values + solve(chosen, other)[0])


@given(n=st.integers(3, 12), seed=st.integers(0, 99))
def test_symmetry_and_dummy(n, seed):
    """Two players that do the same have the same value; one who does nothing has none."""
    weights = torch.randn(n, generator=torch.Generator().manual_seed(seed)).double()

    def game(members):
        rest = members[:, 3:].double() @ weights[3:]
        return (members[:, 0].double() + members[:, 1]) * (1.0 + rest) + (rest * 2.0).tanh()

    values = solve(every(n), game)[0]
    torch.testing.assert_close(values[0], values[1])
    torch.testing.assert_close(values[2], torch.zeros((), dtype=torch.float64), rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [13, 30, 51])
def test_what_has_no_interaction_above_pairs_is_exact(n):
    """A coalition and its complement take out every interaction of two."""
    game, (values, errors, _) = game_of(n, 7, order=2), solve(regression(n, 256), game_of(n, 7, order=2))
    long = solve(regression(n, 4096), game)[0]
    torch.testing.assert_close(values, long, rtol=0, atol=1e-10)
    assert errors.max() < 1e-10


def test_standard_errors_cover():
    """Of many draws of the coalitions, 95 % intervals hold the true value about as often as they say."""
    n, generator = 20, torch.Generator().manual_seed(0)
    weights, bends = torch.randn(2, n, generator=generator).double()

    def game(members):
        total = members.double() @ weights
        return total.tanh() * 3.0 + (members.double() @ bends).sin()

    number = torch.arange(2**n)
    truth = torch.zeros(n, dtype=torch.float64)
    for part in number.split(2**17):
        members = (part[:, None] >> torch.arange(n)) & 1 == 1
        sizes, worth = members.sum(1), game(members)
        joins = torch.tensor([0.0] + [1 / (n * math.comb(n - 1, s - 1)) for s in range(1, n + 1)]).double()
        stays = torch.tensor([1 / (n * math.comb(n - 1, s)) for s in range(n)] + [0.0]).double()
        truth += torch.where(members, joins[sizes][:, None], -stays[sizes][:, None]).mT @ worth
    inside, ratio = [], []
    for draw in range(60):
        values, errors, _ = solve(regression(n, 200, draw), game)
        inside.append(((values - truth).abs() < 1.96 * errors).double().mean())
        ratio.append(((values - truth) ** 2).mean() / (errors**2).mean())
    assert 0.92 < float(torch.stack(inside).mean()) < 0.98
    assert 0.75 < float(torch.stack(ratio).mean()) < 1.2


@given(n=st.integers(13, 60), pairs=st.integers(1, 700))
def test_pairs_are_shared_out(n, pairs):
    counts = allot(n, pairs)
    assert len(counts) == n // 2
    assert counts[0] == n
    assert sum(counts) == min(max(pairs, 2 * n), 2 ** (n - 1) - 1)
    assert all(2 <= count <= pairs_of(n, size) for size, count in enumerate(counts, 1))


def test_the_same_coalitions_every_time():
    first = regression(30, 512)
    assert torch.equal(first.members, regression(30, 512).members)
    assert not torch.equal(first.members, regression(30, 512, draw=1).members)
    assert len({tuple(row) for row in first.members.tolist()}) == 512


def test_nobody_and_one():
    assert coalitions(0, 100).members.shape == (0, 0)
    assert coalitions(1, 100).members.shape == (0, 1)
    assert coalitions(1, 100).share.tolist() == [1.0]
