"""Rows drawn for an epoch with replacement, where a repair says how likely each class is."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.draws import fill_uniform
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.train.repair import Repair


@dataclass(frozen=True)
class Sampling:
    """``size`` rows of a bucket: a uniform number u draws the first row whose chances up to it exceed u.

    ``size`` is the same for all members and epochs, so that shapes are shared; ``up_to`` has one row for each
    member, or one for all.
    """

    size: int
    up_to: Float[Tensor, "K n"]

    @classmethod
    def of(cls, chances: Float[Tensor, "K N"], rows: Int[Tensor, "n"]) -> "Sampling":
        """Of a bucket's ``rows``, whose share of an epoch is the sum of their chances.

        >>> Sampling.of(torch.tensor([[0.25, 0.25, 0.5, 0.0]]), torch.tensor([1, 2])).size
        3
        """
        up_to = chances[:, rows].double().cumsum(1)
        whole = float(up_to[0, -1])
        size = max(round(whole * chances.shape[1]), int(whole > 0))
        return cls(size, up_to / up_to[:, -1:])

    def draw(self, number: int, members: tuple[Member, ...], epoch: int) -> Int[Tensor, "M size"]:
        """Each member's own draws from bucket ``number`` for an epoch."""
        draws, rng = torch.empty(len(members), self.size, dtype=torch.double), torch.Generator()
        for buffer, member in zip(draws, members, strict=True):
            fill_uniform(buffer, rng, member, "sampled rows", epoch, number)
        up_to = self.up_to.expand(len(members), -1).contiguous()
        return torch.searchsorted(up_to, draws, right=True)


def row_chances(
    repair: Repair, tasks: tuple[Task, ...], targets: Int[Tensor, "N"], rows: Int[Tensor, "M n"] | None
) -> Float[Tensor, "K n"] | None:
    """How likely each row is at each draw, for members with ``rows`` of their own each for itself; ``None``
    where the repair takes every row once."""
    own = [targets] if rows is None else [targets[some] for some in rows]
    each = [torch.tensor(repair.chances(task), dtype=torch.double) for task in tasks[: len(own)]]
    if not any(len(chances) for chances in each):
        return None
    drawn = torch.stack([chances[classes] for chances, classes in zip(each, own, strict=True)])
    return drawn / drawn.sum(1, keepdim=True)
