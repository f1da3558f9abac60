"""Pairs of a user and an item: what recommenders without order train on."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from holdfast.core.draws import fill_uniform, permutation
from holdfast.core.errors import BadData
from holdfast.core.records import Batch, Member
from holdfast.data.base import Split
from holdfast.data.interaction.histories import Histories, aligned
from holdfast.data.interaction.ratings import DISLIKES, LIKED, LIKES
from holdfast.data.interaction.sampling import Untouched
from holdfast.data.interaction.splits import HELD, refuse_fold, width_of

SIZE = 16  # items of a row
ROWS = 8192  # at once


class _Rows(NamedTuple):
    """The user of each row, and where its items lie among all interactions (−1: none)."""

    user: Int[Tensor, "N"]
    place: Int[Tensor, "N S"]


class _OnDevice(NamedTuple):
    """What drawing needs, on one device."""

    user: Int[Tensor, "N"]
    taken: Bool[Tensor, "N S"]
    left: Untouched


@dataclass(frozen=True, eq=False)
class Pairs(Split):
    """Every item that a user took in training, once: ``size`` of them in a row, whose input is the training
    history of that user (its latest ``length`` items), however long it is.

    Which items share a row is drawn once for everybody; the last row of a user may have fewer (0 fills it).
    Where every interaction is rated, those of less than three stars are disliked. Nothing is drawn before it
    is needed.
    """

    histories: Histories
    items: int
    length: int
    size: int = SIZE
    _cache: dict[torch.device, _OnDevice] = field(default_factory=dict, init=False, repr=False)

    @property
    def widest(self) -> int:
        """The most that a row sees of a history."""
        return self.length

    @property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many items of the history each row sees."""
        return self._sizes[self._rows.user].clamp(max=self.length)

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """Nothing: each row has several items to predict."""
        return torch.zeros(len(self._rows.user), dtype=torch.long)

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """Histories and the items taken; negatives are drawn apart."""
        user, place = self._rows.user[rows], self._rows.place[rows]
        high = self.histories.starts[user] + self._sizes[user]
        width = width_of(int(self.lengths[rows].max()), length)
        inputs, mask = aligned(self.histories.ids, high - self.lengths[rows], high, width)
        following = torch.where(place < 0, 0, self.histories.ids[place].long())
        targets, weight = torch.zeros(len(rows), dtype=torch.long), torch.ones(len(rows))
        labels = None if self._classes is None else torch.where(place < 0, 0, self._classes[place])
        return Batch(
            inputs.long(), mask, targets, weight, rows, following=following, labels=labels, user=user
        )

    def negatives(
        self, member: Member, epoch: int, count: int, device: torch.device
    ) -> Int[Tensor, "N S K"] | None:
        """Items that the user has not touched in training, each equally likely; 0 where nothing was taken."""
        if not count:
            return None
        table = self._on_device(device)
        draws = torch.empty(*table.taken.shape, count, dtype=torch.double, device=device)
        fill_uniform(draws, torch.Generator(device), member, "negatives", epoch)
        drawn = torch.empty(draws.shape, dtype=torch.long, device=device)
        for some in range(0, len(draws), ROWS):  # in pieces, as looking up takes several times the memory
            part = slice(some, some + ROWS)
            whose = table.user[part, None, None].expand_as(draws[part])
            drawn[part] = table.left.draw(whose, draws[part])
        return drawn.mul_(table.taken[..., None])

    @property
    def taken(self) -> tuple[int, int]:
        """Where nothing is rated, nothing is disliked."""
        place = self._rows.place[self._rows.place >= 0]
        disliked = 0 if self._classes is None else int((self._classes[place] == DISLIKES).sum())
        return disliked, len(place) - disliked

    def scored(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B n"]:
        """Where there is an item."""
        return self.batch(rows).mask

    def trains(self, member: Member) -> None:
        """Everyone trains on all users."""
        refuse_fold(member)

    def held(self, member: Member) -> None:
        """No user is held back."""
        refuse_fold(member)

    @cached_property
    def _sizes(self) -> Int[Tensor, "U"]:
        """How many interactions of each user are trained on."""
        return self.histories.lengths - HELD

    @cached_property
    def _classes(self) -> Int[Tensor, "L"] | None:
        """The class of every interaction, where all are rated."""
        ratings = self.histories.ratings
        if ratings is None or not self.histories.rated:
            return None
        return torch.where(ratings < LIKED, DISLIKES, LIKES)

    @cached_property
    def _rows(self) -> _Rows:
        sizes, users = self._sizes, torch.arange(len(self.histories))
        owner = users.repeat_interleave(sizes)
        rank = torch.arange(len(owner)) - (sizes.cumsum(0) - sizes)[owner]
        order = permutation(len(owner), None, "pairs")
        order = order[owner[order].argsort(stable=True)]  # users in turn, the items of each shuffled
        count = -(-sizes // self.size)
        row = (count.cumsum(0) - count)[owner] + rank // self.size
        place = torch.full((int(count.sum()), self.size), -1)
        place[row, rank % self.size] = (self.histories.starts[owner] + rank)[order]
        return _Rows(users.repeat_interleave(count), place)

    def _on_device(self, device: torch.device) -> _OnDevice:
        if device not in self._cache:
            left = Untouched.of(self.histories, self.histories.ends - HELD, self.items)
            if not bool(left.count.all()):
                raise BadData(
                    f"user {int(left.count.argmin())} has taken all {self.items:,} items, so that none is "
                    "left to tell from them: expected more items, or users who have taken fewer of them"
                )
            user, taken = self._rows.user.to(device), (self._rows.place >= 0).to(device)
            self._cache[device] = _OnDevice(user, taken, left.to(device))
        return self._cache[device]
