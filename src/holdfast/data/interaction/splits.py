"""Splits of a recommender's data: windows to train on, and one item to ask for after a history."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import fill_uniform
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Member
from holdfast.data.base import Split
from holdfast.data.interaction.histories import Histories, aligned
from holdfast.data.interaction.sampling import Untouched

HELD = 2  # interactions at the end of each history that are never trained on: validation, then test


class _OnDevice(NamedTuple):
    """What drawing needs, on one device."""

    users: Tensor
    ids: Tensor
    low: Tensor
    high: Tensor
    left: Untouched


@dataclass(frozen=True, eq=False)
class Windows(Split):
    """``samples`` rows for each user who has two interactions or more to train on, drawn anew each epoch.

    A row is a window of ``length + 1`` consecutive items of the user's training part (all of it where it is
    not longer), each window equally likely: all items but the last are the input, each followed by the next.
    """

    drawn: ClassVar[bool] = True

    histories: Histories
    items: int
    length: int
    samples: int = 1
    _cache: dict[torch.device, _OnDevice] = field(default_factory=dict, init=False, repr=False)

    @property
    def padded(self) -> bool:
        """All windows have as many columns."""
        return False

    @property
    def widest(self) -> int:
        """The length of a window."""
        return self.length

    @cached_property
    def users(self) -> Int[Tensor, "U"]:
        """The users who have an item to predict from another."""
        return (self.histories.lengths - HELD >= 2).nonzero()[:, 0]

    @property
    def sizes(self) -> Int[Tensor, "U"]:
        """How many items the windows of each of them hold."""
        return (self.histories.lengths[self.users] - HELD).clamp(max=self.length + 1)

    @property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many columns each row has: always the same."""
        return torch.full((len(self.users) * self.samples,), self.length)

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """Nothing: what follows is predicted at every position."""
        return torch.zeros(len(self.users) * self.samples, dtype=torch.long)

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """The latest windows of these rows' users."""
        table = self._on_device(torch.device("cpu"))
        user = rows // self.samples
        width = width_of(self.length, length)
        inputs, following, mask = _window(table, table.low[user], table.high[user] - 1, self.length)
        inputs, following, mask = (_wider(tensor, width) for tensor in (inputs, following, mask))
        targets = torch.zeros(len(rows), dtype=torch.long)
        return Batch(inputs, mask, targets, torch.ones(len(rows)), rows, following=following)

    def fresh(self, member: Member, epoch: int, negatives: int, device: torch.device) -> Batch:
        """A window for every row, and for each position items that the user has not touched in training."""
        table = self._on_device(device)
        rows = torch.arange(len(self), device=device)
        user, rng = rows // self.samples, torch.Generator(device)
        low, high = table.low[user], table.high[user]
        draws = torch.empty(len(rows), dtype=torch.double, device=device)
        fill_uniform(draws, rng, member, "windows", epoch)
        spare = (high - low - (self.length + 1)).clamp(min=0)
        last = high - 1 - (draws * (spare + 1)).long()  # of a short history, its end
        inputs, following, mask = _window(table, low, last, self.length)
        untouched = None
        if negatives:
            draws = torch.empty(*mask.shape, negatives, dtype=torch.double, device=device)
            fill_uniform(draws, rng, member, "negatives", epoch)
            whose = table.users[user][:, None, None].expand(draws.shape)
            untouched = table.left.draw(whose, draws) * mask[..., None]
        weight = torch.ones(len(rows), device=device)
        return Batch(inputs, mask, None, weight, rows, following=following, negatives=untouched)

    def scored(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B n"]:
        """Where there is an item."""
        return self.batch(rows).mask

    def trains(self, member: Member) -> None:
        """Everyone trains on all users."""
        refuse_fold(member)

    def held(self, member: Member) -> None:
        """No user is held back."""
        refuse_fold(member)

    def _on_device(self, device: torch.device) -> _OnDevice:
        if device not in self._cache:
            histories, ends = self.histories, self.histories.ends - HELD
            left = Untouched.of(histories, ends, self.items).to(device)
            low, high = histories.starts[self.users], ends[self.users]
            users, ids = self.users.to(device), histories.ids.to(device)
            self._cache[device] = _OnDevice(users, ids, low.to(device), high.to(device), left)
        return self._cache[device]


@dataclass(frozen=True, eq=False)
class HeldOut(Split):
    """One row for each user: which item comes after the history?

    The item lies ``back`` interactions from the end (1: the last). ``candidates`` are that item, first, and
    items that the user never touched; ``causes`` marks every interaction that causes the item (planted data
    only). A row is the latest ``length`` items of the history or, with ``whole``, all of them, which are no
    more than ``length``.
    """

    histories: Histories
    candidates: Int[Tensor, "N C"]
    items: int
    length: int
    back: int
    causes: Bool[Tensor, "L"] | None = None
    whole: bool = False

    @property
    def padded(self) -> bool:
        """Rows are as long as the histories where these are whole."""
        return self.whole

    @property
    def widest(self) -> int:
        """The length of the longest row."""
        return self.length

    @property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many columns each row has: always the same, or those of the history where it is whole."""
        if self.whole:
            return self.histories.lengths - self.back
        return torch.full((len(self.histories),), self.length)

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """The truth is the first candidate."""
        return torch.zeros(len(self.histories), dtype=torch.long)

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """The latest items before the one to predict."""
        width = width_of(int(self.lengths[rows].max()), length)
        low, high = self._part(rows)
        inputs, mask = aligned(self.histories.ids, low.maximum(high - self.length), high, width)
        targets, weight = torch.zeros(len(rows), dtype=torch.long), torch.ones(len(rows))
        candidates = self.candidates[rows].long()
        return Batch(inputs.long(), mask, targets, weight, rows, candidates=candidates, user=rows)

    def scored(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B n"]:
        """Where there is an item."""
        return aligned(self.histories.ids, *self._part(rows), self.length)[1]

    def truth(self, rows: Int[Tensor, "B"], length: int | None = None) -> Float[Tensor, "B n"] | None:
        """1 on the items that cause the one to predict, else 0; ``None`` where that is not known."""
        if self.causes is None:
            return None
        marks = aligned(self.causes, *self._part(rows), self.length)[0].float()
        return _wider(marks, width_of(self.length, length))

    def excluded(self, rows: Int[Tensor, "B"]) -> Bool[Tensor, "B C"]:
        """No item, and every item of the history but the true one."""
        low, high = self._part(rows)
        sizes = high - low
        place = torch.arange(int(sizes.sum())) + (low - sizes.cumsum(0) + sizes).repeat_interleave(sizes)
        known = torch.zeros(len(rows), self.items + 1, dtype=torch.bool)
        known[:, 0] = True
        known[torch.arange(len(rows)).repeat_interleave(sizes), self.histories.ids[place].long()] = True
        return known.scatter_(1, self.candidates[rows][:, :1].long(), False)

    def _part(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Where the history of each row lies."""
        return self.histories.starts[rows], self.histories.ends[rows] - self.back


def _window(table: _OnDevice, low: Tensor, last: Tensor, length: int) -> tuple[Tensor, Tensor, Tensor]:
    """Inputs up to ``last`` (which is not among them), what followed each, and where they are."""
    inputs, mask = aligned(table.ids, low, last, length)
    following, _ = aligned(table.ids, low + 1, last + 1, length)
    return inputs.long(), following.long(), mask


def width_of(longest: int, wanted: int | None) -> int:
    """The width that is wanted, if histories of this length fit in it."""
    if wanted is not None and wanted < longest:
        raise ValueError(f"expected a length of at least {longest}, but got {wanted}")
    return longest if wanted is None else wanted


def _wider(tensor: Tensor, width: int) -> Tensor:
    """Padding is on the left."""
    more = width - tensor.shape[1]
    return torch.cat([tensor.new_zeros(len(tensor), more), tensor], 1) if more else tensor


def refuse_fold(member: Member) -> None:
    """Users are not divided into folds."""
    if member.fold is not None:
        raise BadSetting(f"{member}: expected data with folds, but histories of users have none")
