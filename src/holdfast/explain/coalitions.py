"""Which coalitions of n players are evaluated for their Shapley values, and how values follow from them.

Shapley values are linear in the worths of the coalitions, so the whole regression is one matrix, shared by
all examples and members with as many players.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.draws import seed_of

EXACT = 12  # with at most this many players every coalition is evaluated


@dataclass(frozen=True)
class Stratum:
    """Pairs drawn of a coalition of ``size`` and its complement: their columns, and how many pairs exist."""

    size: int
    start: int
    stop: int
    population: int

    @property
    def drawn(self) -> int:
        """How many of them are evaluated."""
        return self.stop - self.start


@dataclass(frozen=True)
class Coalitions:
    """Coalitions (S, n), without the empty and the full one, and the matrices that turn worths into values.

    ``values = share·(F(N) − F(∅)) + weights·F``: shares add up to 1, and the weights of a coalition to 0, so
    values add up to F(N) − F(∅) whatever was drawn. ``strata`` are the sizes that were sampled.
    """

    members: Bool[Tensor, "S n"]
    weights: Float[Tensor, "n S"]
    share: Float[Tensor, "n"]
    strata: tuple[Stratum, ...] = ()
    leverage: Float[Tensor, "P"] | None = None

    def values(
        self, worth: Float[Tensor, "B S"], empty: Float[Tensor, "B"], full: Float[Tensor, "B"]
    ) -> Float[Tensor, "B n"]:
        """The Shapley values of each game."""
        gain = (full - empty)[:, None]
        return gain * self.share.to(worth) + worth @ self.weights.to(worth).mT

    def errors(
        self,
        worth: Float[Tensor, "B S"],
        empty: Float[Tensor, "B"],
        full: Float[Tensor, "B"],
        values: Float[Tensor, "B n"],
    ) -> Float[Tensor, "B n"]:
        """Their standard errors, 0 where every coalition was evaluated.

        Within a stratum pairs are drawn without replacement: the variance is that of what a pair's residual
        adds to a value, times the share of pairs that were not drawn; residuals are those of a regression
        without the pair (by its leverage).
        """
        variance = torch.zeros_like(values)
        if self.leverage is None:
            return variance
        pairs = len(self.leverage)
        inside, outside = worth[:, :pairs], worth[:, pairs:]
        fitted = values @ self.members[:pairs].to(values).mT
        residual = (inside - outside + (full - empty)[:, None]) / 2.0 - fitted
        residual = residual / (1.0 - self.leverage.to(residual))
        for stratum in self.strata:
            columns = slice(stratum.start, stratum.stop)
            # weights are halves: a pair's two coalitions have one residual
            influence, r = 2.0 * self.weights[:, columns].to(residual).mT, residual[:, columns]
            spread = r.square() @ influence.square() - (r @ influence).square() / stratum.drawn
            rest = 1.0 - stratum.drawn / stratum.population
            variance = variance + spread.clamp_min(0.0) * (rest * stratum.drawn / (stratum.drawn - 1))
        return variance.sqrt()


def kernel(n: int, size: int) -> float:
    """``(n − 1) / (C(n, s)·s·(n − s))``, the weight of a coalition of size s (Lundberg & Lee 2017).

    >>> kernel(4, 1), kernel(4, 2)
    (0.25, 0.125)
    """
    return (n - 1) / (math.comb(n, size) * size * (n - size))


@lru_cache(maxsize=256)
def coalitions(n: int, samples: int, draw: int = 0) -> Coalitions:
    """The coalitions of ``n`` players: all of them up to 12 players, else ``samples``, always the same ones.

    >>> coalitions(2, 100).members.int().tolist()
    [[1, 0], [0, 1]]
    """
    return every(n) if n <= EXACT else regression(n, samples, draw)


def every(n: int) -> Coalitions:
    """All coalitions: ``φ_i = Σ_{S∌i} s!(n − s − 1)!/n! · (F(S ∪ i) − F(S))``.

    >>> every(3).share
    tensor([0.3333, 0.3333, 0.3333], dtype=torch.float64)
    """
    number = torch.arange(1, max(2**n - 1, 1))
    members = (number[:, None] >> torch.arange(n)) & 1 == 1
    sizes = members.sum(1).tolist()
    joins = torch.tensor([1.0 / (n * math.comb(n - 1, s - 1)) for s in sizes], dtype=torch.float64)
    stays = torch.tensor([1.0 / (n * math.comb(n - 1, s)) for s in sizes], dtype=torch.float64)
    weights = torch.where(members, joins[:, None], -stays[:, None]).mT
    return Coalitions(members, weights.contiguous(), torch.full((n,), 1.0 / max(n, 1), dtype=torch.float64))


def regression(n: int, samples: int, draw: int = 0) -> Coalitions:
    """``samples`` coalitions in pairs, a coalition and its complement, and the weighted regression on them.

    ``min Σ_S w(S)·(F(S) − F(∅) − Σ_{i∈S} φ_i)²`` so that ``Σφ = F(N) − F(∅)``. The number of draws of each
    size is fixed (:func:`allot`), and each size has its exact weight in the sum, so sizes add no noise.

    >>> regression(20, 200).members.shape
    torch.Size([200, 20])
    """
    strata, drawn, weights = [], [], []
    start = 0
    for size, count in enumerate(allot(n, samples // 2), 1):
        population = pairs_of(n, size)
        drawn.append(_enumerate(n, size) if count == population else _draw(n, size, count, draw))
        weights += [population * kernel(n, size) / count] * count
        if count < population:
            strata.append(Stratum(size, start, start + count, population))
        start += count
    members = torch.cat(drawn)
    x = members.double()
    centred = x - x.mean(1, keepdim=True)
    weighted = centred * torch.tensor(weights, dtype=torch.float64)[:, None]
    # the sum of the values is given, so any number on that axis makes the matrix invertible
    normal = weighted.mT @ centred
    solve = torch.linalg.solve(normal + normal.diagonal().mean() / n, weighted.mT)
    solve = solve - solve.mean(0)
    share = 1.0 / n + solve @ (0.5 - x.mean(1))
    leverage = (centred * solve.mT).sum(1)
    both = torch.cat([members, ~members])
    return Coalitions(both, torch.cat([solve, -solve], 1) / 2.0, share, tuple(strata), leverage)


def allot(n: int, pairs: int, power: float = 0.5) -> list[int]:
    """How many pairs of each size 1 … n/2 are evaluated: ``pairs`` in all, but at least two for each player.

    >>> allot(20, 100)
    [20, 13, 10, 9, 9, 8, 8, 8, 8, 7]
    """
    sizes = range(1, n // 2 + 1)
    left, counts = max(pairs, 2 * n), {1: n}
    left -= n
    shares = {size: (size * (n - size)) ** -power for size in sizes if size > 1}
    while shares:
        total = sum(shares.values())
        whole = [s for s in shares if left * shares[s] / total >= pairs_of(n, s)]
        if not whole:
            break
        for size in whole:
            counts[size] = pairs_of(n, size)
            left -= counts[size]
            del shares[size]
    counts |= _rounded({size: left * share / total for size, share in shares.items()}, left)
    return [counts[size] for size in sizes]


def pairs_of(n: int, size: int) -> int:
    """How many pairs of a coalition of that size and its complement there are.

    >>> pairs_of(4, 1), pairs_of(4, 2)
    (4, 3)
    """
    return math.comb(n, size) // (2 if 2 * size == n else 1)


def _rounded(wanted: dict[int, float], total: int) -> dict[int, int]:
    """Whole numbers near these, at least two each, that add up to ``total``."""
    counts = {size: max(2, int(share)) for size, share in wanted.items()}
    over = sum(counts.values()) - total
    for size in sorted(counts, key=lambda size: counts[size] - wanted[size], reverse=over > 0) * abs(over):
        if over == 0:
            break
        step = 1 if over > 0 else -1
        if counts[size] - step >= 2:
            counts[size] -= step
            over -= step
    return counts


def _enumerate(n: int, size: int) -> Bool[Tensor, "P n"]:
    """Every pair, by its smaller coalition; of two halves, by the one with the first player."""
    chosen = list(combinations(range(n), size))[: pairs_of(n, size)]
    return torch.zeros(len(chosen), n, dtype=torch.bool).scatter_(1, torch.tensor(chosen), True)


def _draw(n: int, size: int, count: int, draw: int) -> Bool[Tensor, "P n"]:
    """``count`` different pairs, all equally likely."""
    # numpy's generator: torch's cannot be used under vmap
    rng = np.random.default_rng(seed_of(None, "coalitions", n, size, draw))
    pairs: dict[tuple[int, ...], None] = {}
    while len(pairs) < count:
        members = torch.from_numpy(rng.random((2 * count, n)).argsort(1).argsort(1)) < size
        if 2 * size == n:
            members = members ^ ~members[:, :1]
        pairs |= dict.fromkeys(map(tuple, members.nonzero()[:, 1].view(-1, size).tolist()))
    chosen = torch.tensor(list(pairs)[:count])
    return torch.zeros(count, n, dtype=torch.bool).scatter_(1, chosen, True)
