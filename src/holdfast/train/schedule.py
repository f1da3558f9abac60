"""Which rows are trained on when.

Shapes are shared, rows are not: the sequence of (length, batch size) depends on the data and the epoch only,
so that members can be stacked and captured; which rows fill it is each member's own draw.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.core.records import Member
from holdfast.train.sampling import Sampling

EDGES = (4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256, 320, 384, 512)


@dataclass(frozen=True)
class Bucket:
    """Rows of about the same length, padded to ``length``; each is taken once an epoch, or they are drawn."""

    length: int
    rows: Int[Tensor, "N"]
    sampling: Sampling | None = None

    @property
    def size(self) -> int:
        """How many rows an epoch takes."""
        return len(self.rows) if self.sampling is None else self.sampling.size

    def order(self, number: int, members: tuple[Member, ...], epoch: int) -> Int[Tensor, "M size"]:
        """The rows of an epoch, in each member's own order; ``number`` is that of the bucket."""
        if self.sampling is not None:
            return self.sampling.draw(number, members, epoch)
        n = len(self.rows)
        return torch.stack([permutation(n, member, "rows", epoch, number) for member in members])


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


def sampled(parts: tuple[Bucket, ...], chances: Float[Tensor, "K N"] | None) -> tuple[Bucket, ...]:
    """Buckets whose rows are drawn with these chances (they add up to 1; one row of them for each member, or
    one for all): each bucket gives its share of as many rows as there are, rounded, but at least one where
    it has a chance.

    >>> chances = torch.tensor([[0.25, 0.25, 0.5, 0.0]])
    >>> [part.size for part in sampled(buckets(torch.tensor([3, 4, 9, 10]), 2), chances)]
    [2, 2]
    """
    if chances is None:
        return parts
    return tuple(replace(part, sampling=Sampling.of(chances, part.rows)) for part in parts)


def steps_in(parts: tuple[Bucket, ...], batch: int) -> int:
    """How many steps an epoch has."""
    return sum(-(-part.size // batch) for part in parts)


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
    steps = -(-part.size // batch)
    index = torch.zeros(len(members), steps * batch, dtype=torch.long)
    weight = torch.zeros(len(members), steps * batch)
    index[:, : part.size] = part.order(number, members, epoch)
    weight[:, : part.size] = 1.0
    shape = (len(members), steps, batch)
    return index.reshape(shape).to(device), weight.reshape(shape).to(device)
