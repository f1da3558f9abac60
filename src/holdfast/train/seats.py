"""Seats: which batch a row is explained in, and at which place of it, whatever else is explained.

Kernels may give a row other bits in a batch of another shape, or at another place of it, but not beside other
rows. So a row's padded length, the size of its batch and its place there follow from the split alone, and
what is asked row by row, now or later, is what is asked at once. Seats go by the order in which rows are
chosen for explaining, so that the batches of a smaller question are full too.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.core.records import Batch
from holdfast.data.base import Split
from holdfast.train.schedule import edge

# rows of a batch: few where lengths differ, as the last batch of each length is filled up; and positions
FEW, MOST, POSITIONS = 8, 25, 1024


class Seats(NamedTuple):
    """For every row of a split its padded length, the number of its batch among those, and its place."""

    length: Int[Tensor, "N"]
    batch: Int[Tensor, "N"]
    place: Int[Tensor, "N"]


class Seated(NamedTuple):
    """A batch in which the rows at ``asked`` sit at ``places``; copies of the first fill the other seats,
    so that all are of the rows at ``filled``."""

    asked: Int[Tensor, "n"]
    places: Int[Tensor, "n"]
    filled: Int[Tensor, "B"]
    batch: Batch


def chosen(count: int) -> Int[Tensor, "N"]:
    """The order in which a split's rows are chosen: a question of fewer rows is a part of one of more."""
    return permutation(count, None, "instances")


def size(length: int, padded: bool) -> int:
    """How many rows of this length are explained at once.

    >>> size(20, padded=True), size(20, padded=False), size(512, padded=True)
    (8, 25, 2)
    """
    return max(1, min(FEW if padded else MOST, POSITIONS // length))


def seats(split: Split) -> Seats:
    """Every row's seat."""
    lengths = split.lengths
    known = {own: edge(own, split.widest) if split.padded else own for own in set(lengths.tolist())}
    padded = torch.tensor([known[own] for own in lengths.tolist()])
    order = chosen(len(lengths))
    batch, place = torch.zeros_like(padded), torch.zeros_like(padded)
    for length in set(padded.tolist()):
        rows, most = order[padded[order] == length], size(length, split.padded)
        rank = torch.arange(len(rows))
        batch[rows], place[rows] = rank // most, rank % most
    return Seats(padded, batch, place)


def seated(split: Split, rows: Int[Tensor, "K"]) -> Iterator[Seated]:
    """The batches in which these rows are explained."""
    length, batch, place = (own[rows] for own in seats(split))
    for own, number in sorted(set(zip(length.tolist(), batch.tolist(), strict=True))):
        asked = ((length == own) & (batch == number)).nonzero()[:, 0]
        filled = asked[:1].repeat(size(own, split.padded))
        filled[place[asked]] = asked
        yield Seated(asked, place[asked], filled, split.batch(rows[filled], own))


def turns(split: Split, rows: Int[Tensor, "K"], count: int) -> Int[Tensor, "K"]:
    """Which of ``count`` networks explains each row: batches take turns, those of the next length begin with
    the next network."""
    whole = seats(split)
    kind = torch.searchsorted(torch.tensor(sorted(set(whole.length.tolist()))), whole.length)
    return (kind + whole.batch)[rows] % count


def full_batch(split: Split) -> Int[Tensor, "n"]:
    """The rows of the first batch of the most common length."""
    length, batch, _ = seats(split)
    return ((length == length.mode().values) & (batch == 0)).nonzero()[:, 0]
