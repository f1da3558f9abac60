"""A shuffled copy of an explanation: the lower anchor of every scale.

The shuffle of an instance depends on its row number and on nothing else — not on its batch, its padding or
the members — so that an instance gives the same number alone or among others.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import seed_of

# The multipliers of SplitMix64 (Steele, Lea & Flood 2014), as signed 64-bit numbers.
GOLDEN, FIRST, SECOND = -7046029254386353131, -4658895280553007687, -7723592293110705685

ROTATIONS, APART = 32, 2**40  # of one order; between the rows of one order and those of the next


def shuffled(
    scores: Float[Tensor, "*M B T"], mask: Bool[Tensor, "B T"], rows: Int[Tensor, "B"], copy: int
) -> Float[Tensor, "*M B T"]:
    """Scores moved to random valid positions, in the same way for every member.

    Copies of one instance are rotations of one random order: each copy alone is a fair shuffle, and no two of
    the first n copies bring a position to the same place, so few copies already balance (n of them average
    any comparison that sums over positions exactly).

    >>> scores, mask = torch.tensor([[1.0, 2.0, 3.0, 0.0]]), torch.tensor([[True, True, True, False]])
    >>> sorted(shuffled(scores, mask, torch.tensor([5]), 0)[0, :3].tolist())
    [1.0, 2.0, 3.0]
    """
    order = torch.where(mask, uniform_of(rows, mask.shape[-1]), 2.0).argsort(-1)
    place = mask.cumsum(-1) - 1 + copy
    source = order.gather(-1, place.clamp(min=0) % mask.sum(-1, keepdim=True).clamp(min=1))
    return torch.where(mask, scores.gather(-1, source.expand_as(scores)), 0.0)


def sources(mask: Bool[Tensor, "B T"], rows: Int[Tensor, "B"], copies: int) -> Int[Tensor, "S B T"]:
    """Where each position takes its value from, in as many fair shuffles as are wanted; a function of the row
    and of how many positions there are, not of padding. Up to 32 copies are rotations of one random order, as
    in :func:`shuffled`, then comes another.

    >>> moves = sources(torch.tensor([[True, False, True, True]]), torch.tensor([5]), 2)
    >>> [(sorted(one[0].tolist()), int(one[0, 1])) for one in moves]
    [([0, 1, 2, 3], 1), ([0, 1, 2, 3], 1)]
    """
    place, count = (mask.cumsum(-1) - 1).clamp(min=0), mask.sum(-1, keepdim=True).clamp(min=1)
    here = torch.arange(mask.shape[-1], device=mask.device)
    moves = []
    for number, start in enumerate(range(0, copies, ROTATIONS)):
        drawn = uniform_of(rows + (number + 1) * APART, mask.shape[-1]).gather(-1, place)
        order = torch.where(mask, drawn, 2.0).argsort(-1)
        turns = torch.arange(min(ROTATIONS, copies - start), device=mask.device)[:, None, None]
        moves.append(order.expand(len(turns), *order.shape).gather(-1, (place + turns) % count))
    return torch.where(mask, torch.cat(moves), here)


def rotated(
    values: Float[Tensor, "B T"], mask: Bool[Tensor, "B T"], rows: Int[Tensor, "B"], copies: int
) -> tuple[Float[Tensor, "B S T"], Int[Tensor, "B T"]]:
    """The values in the shuffles of :func:`sources`, positions that exist first, and where these were.

    Copies that are rotations of one order are windows over that order laid out twice, so nothing is looked up
    for each copy; behind the positions that exist a window says nothing.

    >>> mask = torch.tensor([[True, False, True, True]])
    >>> copies, place = rotated(torch.tensor([[1.0, 0.0, 2.0, 3.0]]), mask, torch.tensor([5]), 2)
    >>> [sorted(one[:3].tolist()) for one in copies[0]], place[0, :3].tolist()
    ([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [0, 2, 3])
    """
    width, count = mask.shape[-1], mask.sum(-1, keepdim=True)
    here = torch.arange(width, device=mask.device)
    there = torch.where(mask, mask.cumsum(-1) - 1, count + (~mask).cumsum(-1) - 1)
    place = torch.zeros_like(there).scatter(-1, there, here.expand_as(there))  # faster than to sort
    values, exists, count = values.gather(-1, place), here < count, count.clamp(min=1)
    turns, orders = min(ROTATIONS, copies), -(-copies // ROTATIONS)
    numbers = torch.arange(1, orders + 1, device=mask.device)[:, None] * APART
    drawn = uniform_of((rows + numbers).flatten(), width).view(orders, -1, width)
    twice = torch.arange(width + turns - 1, device=mask.device) % count
    order = torch.where(exists, drawn, 2.0).argsort(-1).gather(-1, twice.expand(orders, -1, -1))
    windows = values.expand(orders, -1, -1).gather(-1, order).unfold(-1, width, 1)
    return windows.transpose(0, 1).flatten(1, 2)[:, :copies], place


def uniform_of(rows: Int[Tensor, "B"], length: int) -> Float[Tensor, "B T"]:
    """Numbers in [0, 1), a function of row and position."""
    seed = torch.tensor(seed_of(None, "shuffle"), device=rows.device)
    positions = torch.arange(length, device=rows.device)
    bits = _mix(_mix(rows.long() + seed)[:, None] + positions)
    return _right(bits, 11).double() * 2.0**-53


def _mix(x: Int[Tensor, "..."]) -> Int[Tensor, "..."]:
    """SplitMix64: neighbouring numbers become unrelated ones (integer overflow wraps, as it must)."""
    z = (x + 1) * GOLDEN
    z = (z ^ _right(z, 30)) * FIRST
    z = (z ^ _right(z, 27)) * SECOND
    return z ^ _right(z, 31)


def _right(z: Int[Tensor, "..."], by: int) -> Int[Tensor, "..."]:
    """Shift to the right, zeros coming in: torch's own shift repeats the sign."""
    return (z >> by) & ((1 << (64 - by)) - 1)
