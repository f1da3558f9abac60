"""Items that a user never touched, drawn uniformly: by their rank, so that nothing is rejected."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.data.interaction.histories import Histories


@dataclass(frozen=True, eq=False)
class Untouched:
    """For each user the items 1 … ``items`` that are not in some part of the history.

    Let t₀ < t₁ < … be the items touched. Below t_j there are ``t_j − 1 − j`` untouched ones, which never
    falls with j; the untouched item of rank r (from 0) is therefore ``r + 1 + #{j : t_j − 1 − j ≤ r}``: one
    binary search. ``keys`` are these numbers, those of user u moved up by ``u · (items + 1)``.

    >>> some = Histories(torch.tensor([2, 4, 2, 1], dtype=torch.int32), torch.tensor([0, 3, 4]))
    >>> left = Untouched.of(some, some.ends, 5)
    >>> left.count, left.pick(torch.tensor([0, 0, 0, 1]), torch.tensor([0, 1, 2, 0]))
    (tensor([3, 4]), tensor([1, 3, 5, 2]))
    """

    keys: Int[Tensor, "K"]
    first: Int[Tensor, "N"]
    count: Int[Tensor, "N"]
    items: int

    @classmethod
    def of(cls, histories: Histories, ends: Int[Tensor, "N"], items: int) -> "Untouched":
        """What users have not touched before ``ends``."""
        users = torch.arange(len(histories)).repeat_interleave(ends - histories.starts)
        sizes = ends - histories.starts
        before = torch.cat([sizes.new_zeros(1), sizes.cumsum(0)[:-1]])
        place = (histories.starts - before).repeat_interleave(sizes) + torch.arange(len(users))
        pairs = _different(users.mul_(items + 1).add_(histories.ids[place]))
        users = pairs // (items + 1)
        touched = torch.bincount(users, minlength=len(histories))
        first = touched.cumsum(0) - touched
        keys = pairs - 1 - torch.arange(len(pairs)) + first[users]
        return cls(keys, first, items - touched, items)

    def pick(self, users: Int[Tensor, "*S"], rank: Int[Tensor, "*S"]) -> Int[Tensor, "*S"]:
        """The untouched item of this rank (from 0)."""
        wanted = users * (self.items + 1) + rank
        return rank + 1 + torch.searchsorted(self.keys, wanted, right=True) - self.first[users]

    def draw(self, users: Int[Tensor, "*S"], draws: Float[Tensor, "*S"]) -> Int[Tensor, "*S"]:
        """One untouched item for each uniform number in [0, 1); ``draws`` of 64 bits leave no bias to see."""
        return self.pick(users, (draws * self.count[users]).long())

    def to(self, device: torch.device) -> "Untouched":
        """The same on another device."""
        tensors = (self.keys.to(device), self.first.to(device), self.count.to(device))
        return Untouched(*tensors, self.items)


def distinct(sizes: Int[Tensor, "N"], draws: Float[Tensor, "k N"]) -> Int[Tensor, "k N"]:
    """``k`` different numbers below each size, every set of them as likely (Floyd's algorithm).

    >>> distinct(torch.tensor([3]), torch.tensor([[0.1], [0.1], [0.1]], dtype=torch.double)).T.sort().values
    tensor([[0, 1, 2]])
    """
    # NumPy, as its comparisons of many short columns are several times faster
    count, below, uniform = len(draws), sizes.numpy(), draws.numpy()
    chosen = np.full(draws.shape, -1)
    for step in range(count):
        top = below - count + step
        one = (uniform[step] * (top + 1)).astype(np.int64)
        taken = (chosen[:step] == one).any(0)
        chosen[step] = np.where(taken, top, one)
    return torch.from_numpy(chosen)


def _different(values: Int[Tensor, "N"]) -> Int[Tensor, "M"]:
    """Each value once, in order: as ``torch.unique``, several times faster."""
    ordered = values.numpy()
    ordered.sort()
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return torch.from_numpy(ordered[first])
