"""Seats: which batch a row is explained in, and at which place of it, whatever else is explained.

Kernels may give a row other bits in a batch of another shape, or at another place of it, but not beside other
rows. So a row's padded length, the size of its batch and its place there follow from the split alone, and
what is asked row by row, now or later, is what is asked at once.

Rows are seated in the order in which they are chosen for explaining, 200 and 200, as many as an audit asks
for: each part is divided by length into blocks, and blocks into batches, as evenly as can be, so that none of
them has to be filled up. One untrained network explains a whole block. An explainer that computes one row for
each example has large batches; one that computes many has small ones.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.core.records import Batch
from holdfast.data.base import Split
from holdfast.train.schedule import edge

PART = 200  # rows, the default of --instances
POSITIONS = 1024  # of a small batch
SMALL = {True: 8, False: 25}  # rows of a small batch at most, where lengths differ and where they do not
BLOCK = {True: 3, False: 1}  # small batches in a block
LARGE = {True: 1, False: 4}  # blocks in a large batch

Size = Literal["large", "small", "single"]


class Seats(NamedTuple):
    """For every row of a split its padded length, its block, its batch, and its place there among so many."""

    length: Int[Tensor, "N"]
    block: Int[Tensor, "N"]
    batch: Int[Tensor, "N"]
    place: Int[Tensor, "N"]
    size: Int[Tensor, "N"]


class Seated(NamedTuple):
    """A batch in which the rows at ``wanted`` sit at ``places``; copies of the first fill the other seats,
    so that all are of the rows at ``filled``."""

    wanted: Int[Tensor, "n"]
    places: Int[Tensor, "n"]
    filled: Int[Tensor, "B"]
    batch: Batch


def chosen(count: int) -> Int[Tensor, "N"]:
    """The order in which a split's rows are chosen: a question of fewer rows is a part of one of more."""
    return permutation(count, None, "instances")


def explained_rows(count: int, instances: int | None) -> Int[Tensor, "K"]:
    """Which of so many test rows are explained, in ascending order."""
    if instances is None or instances >= count:
        return torch.arange(count)
    return chosen(count)[:instances].sort().values


def divided(rows: list[int], most: int) -> list[list[int]]:
    """Rows in parts of at most ``most``, which are as even as can be.

    >>> divided(list(range(7)), 3)
    [[0, 1, 2], [3, 4], [5, 6]]
    """
    return [part.tolist() for part in torch.tensor(rows).tensor_split(-(-len(rows) // most))]


def seats(split: Split, of: Size = "small", trained: bool = True) -> Seats:
    """Every row's seat, for an explainer that wants batches of this size. Those of an untrained network are
    never larger than a block."""
    return _seats(tuple(split.lengths.tolist()), split.padded, split.widest, of, trained)


@lru_cache(maxsize=8)
def _seats(lengths: tuple[int, ...], padded: bool, widest: int | None, of: Size, trained: bool) -> Seats:
    edges = {own: edge(own, widest) if padded else own for own in set(lengths)}
    parts: dict[tuple[int, int], list[int]] = {}
    for number, row in enumerate(chosen(len(lengths)).tolist()):
        parts.setdefault((number // PART, edges[lengths[row]]), []).append(row)
    length, block, batch, place, size = torch.zeros(5, len(lengths), dtype=torch.long)
    blocks = batches = 0
    for (_, own), rows in sorted(parts.items()):
        most = max(1, min(SMALL[padded], POSITIONS // own))
        whole = divided(rows, most * BLOCK[padded])
        for number, some in enumerate(whole, blocks):
            length[some], block[some] = own, number
        pieces = _batches(whole, of, most, LARGE[padded] if trained else 1)
        for number, some in enumerate(pieces, batches):
            batch[some], place[some], size[some] = number, torch.arange(len(some)), len(some)
        blocks, batches = blocks + len(whole), batches + len(pieces)
    return Seats(length, block, batch, place, size)


def _batches(blocks: list[list[int]], of: Size, small: int, large: int) -> list[list[int]]:
    """Several blocks together, or parts of each."""
    if of == "large":
        return [[*chain(*blocks[at : at + large])] for at in range(0, len(blocks), large)]
    return [part for block in blocks for part in divided(block, small if of == "small" else 1)]


def seated(
    split: Split, rows: Int[Tensor, "K"], of: Size = "small", trained: bool = True
) -> Iterator[Seated]:
    """The batches in which these rows are explained."""
    length, _, batch, place, size = (own[rows] for own in seats(split, of, trained))
    order = batch.argsort(stable=True)
    for wanted in torch.split(order, torch.unique(batch, return_counts=True)[1].tolist()):
        filled = wanted[:1].repeat(int(size[wanted[0]]))
        filled[place[wanted]] = wanted
        yield Seated(wanted, place[wanted], filled, split.batch(rows[filled], int(length[wanted[0]])))


def turns(split: Split, rows: Int[Tensor, "K"], count: int) -> Int[Tensor, "K"]:
    """Which of ``count`` networks explains each row: blocks take turns."""
    return seats(split).block[rows] % count


def full_batch(split: Split, of: Size = "small") -> Int[Tensor, "n"]:
    """The rows of one of the largest batches."""
    batch = seats(split, of).batch
    return (batch == batch.mode().values).nonzero()[:, 0]
