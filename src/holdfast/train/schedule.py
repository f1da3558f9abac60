"""Which rows are trained on when.

Shapes are shared, rows are not: the sequence of (length, batch size) depends on the data and the epoch only,
so that members can be stacked and captured; which rows fill it is each member's own draw.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.core.records import Member

EDGES = (4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256, 320, 384, 512)


@dataclass(frozen=True)
class Bucket:
    """Rows of about the same length, padded to ``length``."""

    length: int
    rows: Int[Tensor, "N"]


@dataclass(frozen=True)
class Step:
    """One optimiser step: a bucket, and which of its rows each member takes (``weight`` 0 only fills)."""

    bucket: int
    index: Int[Tensor, "M B"]
    weight: Float[Tensor, "M B"]


def edge(length: int, widest: int | None = None) -> int:
    """The padded length of a text: the next edge; beyond the last, the next multiple of 256; never more than
    is the ``widest``, where that is said.

    >>> edge(3), edge(21), edge(700), edge(21, widest=22)
    (4, 24, 768, 22)
    """
    long = length > EDGES[-1]
    wanted = -(-length // 256) * 256 if long else EDGES[bisect_left(EDGES, length)]
    return wanted if widest is None else min(wanted, widest)


def buckets(
    lengths: Int[Tensor, "N"], batch: int, padded: bool = True, widest: int | None = None
) -> tuple[Bucket, ...]:
    """Cut rows into buckets; a bucket that would not fill one batch is padded into the next longer one.

    With ``padded`` False all rows have the same length, and stay as they are. No bucket is longer than the
    ``widest``.

    >>> [(b.length, len(b.rows)) for b in buckets(torch.tensor([3, 4, 9, 10, 11, 30]), 2)]
    [(4, 2), (12, 3), (32, 1)]
    """
    if not padded:
        return (Bucket(int(lengths[0]), torch.arange(len(lengths))),)
    edges = torch.tensor([edge(int(length), widest) for length in lengths.tolist()])
    parts: list[Bucket] = []
    waiting: list[Tensor] = []
    for length in sorted(set(edges.tolist())):
        waiting.append((edges == length).nonzero()[:, 0])
        if sum(map(len, waiting)) >= batch or length == int(edges.max()):
            parts.append(Bucket(length, torch.cat(waiting).sort().values))
            waiting = []
    return tuple(parts)


def steps_in(parts: tuple[Bucket, ...], batch: int) -> int:
    """How many steps an epoch has."""
    return sum(-(-len(part.rows) // batch) for part in parts)


def schedule(
    parts: tuple[Bucket, ...],
    batch: int,
    members: tuple[Member, ...],
    epoch: int,
    rows: Int[Tensor, "M n"] | None = None,
    device: torch.device | str = "cpu",
) -> Iterator[Step]:
    """The steps of one epoch; with ``rows`` there is one bucket, and an index is a member's own row.

    All of them are moved to the ``device`` at once: a GPU that waits for each would stand still.
    """
    rows = None if rows is None else rows.to(device)
    plans = [_filled(part, number, batch, members, epoch, device) for number, part in enumerate(parts)]
    places = [(number, k) for number, (index, _) in enumerate(plans) for k in range(index.shape[1])]
    for place in permutation(len(places), None, "schedule", epoch).tolist():
        number, k = places[place]
        index, weight = plans[number]
        chosen = index[:, k] if rows is None else rows.gather(1, index[:, k])
        yield Step(number, chosen, weight[:, k])


def _filled(
    part: Bucket,
    number: int,
    batch: int,
    members: tuple[Member, ...],
    epoch: int,
    device: torch.device | str,
) -> tuple[Int[Tensor, "M K B"], Float[Tensor, "M K B"]]:
    n = len(part.rows)
    steps = -(-n // batch)
    index = torch.zeros(len(members), steps * batch, dtype=torch.long)
    weight = torch.zeros(len(members), steps * batch)
    for m, member in enumerate(members):
        index[m, :n] = permutation(n, member, "rows", epoch, number)
    weight[:, :n] = 1.0
    shape = (len(members), steps, batch)
    return index.reshape(shape).to(device), weight.reshape(shape).to(device)
