"""Who did what, and when: the rows of a file of interactions, as numbers."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from holdfast.data.interaction.histories import Histories
from holdfast.data.names import Names


@dataclass(frozen=True, eq=False)
class Interactions:
    """One number for the user and one for the item of each row (places in ``users`` and ``items``).

    Without ``time`` the order of the rows is the order of time. ``titles`` and ``genres`` are one for each
    item, empty where nothing is known; ``rating`` is one for each row, NaN where there is none.

    >>> rows = np.array([0, 1, 0], np.int32), np.array([1, 0, 0], np.int32)
    >>> Interactions(*rows, np.array([9, 5, 3]), Names.of("ab"), Names.of("xy")).histories().ids
    tensor([1, 2, 1], dtype=torch.int32)
    """

    user: NDArray[np.int32]
    item: NDArray[np.int32]
    time: NDArray[np.int64] | NDArray[np.float64] | None
    users: Names
    items: Names
    titles: Names | None = None
    genres: Names | None = None
    rating: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.user)

    def keep(self, rows: NDArray[np.bool_]) -> "Interactions":
        """Some of the rows, and the users and items that are left in them."""
        user, whose = _renumbered(self.user[rows], len(self.users))
        item, which = _renumbered(self.item[rows], len(self.items))
        return replace(
            self,
            user=user,
            item=item,
            time=None if self.time is None else self.time[rows],
            users=self.users.take(whose),
            items=self.items.take(which),
            titles=None if self.titles is None else self.titles.take(which),
            genres=None if self.genres is None else self.genres.take(which),
            rating=None if self.rating is None else self.rating[rows],
        )

    def then(self, later: "Interactions") -> "Interactions":
        """These rows, and after them others of the same kind; titles and genres are not carried over."""
        users, own = self.users.joined(later.users)
        items, which = self.items.joined(later.items)
        time, rating = (
            None if mine is None or theirs is None else np.concatenate([mine, theirs])
            for mine, theirs in ((self.time, later.time), (self.rating, later.rating))
        )
        user = np.concatenate([self.user, own[later.user]])
        item = np.concatenate([self.item, which[later.item]])
        return Interactions(user, item, time, users, items, rating=rating)

    def histories(self) -> Histories:
        """Each user's items in the order of time; what happened at the same time keeps the order of rows."""
        counts = np.bincount(self.user, minlength=len(self.users))
        order = self._order
        ids = (self.item if order is None else self.item[order]) + np.int32(1)
        offsets = np.concatenate([[0], counts.cumsum()])
        rating = self.rating if order is None or self.rating is None else self.rating[order]
        ratings = None if rating is None else torch.from_numpy(rating)
        return Histories(torch.from_numpy(ids), torch.from_numpy(offsets), ratings)

    @property
    def repeats(self) -> NDArray[np.bool_]:
        """Which rows say the same as one before them: user, item and time."""
        again = np.zeros(len(self), bool)
        if self.time is None:
            return again
        order = np.arange(len(self)) if self._order is None else self._order
        user, time = self.user[order], self.time[order]
        same = (user[1:] == user[:-1]) & (time[1:] == time[:-1])
        moment = np.concatenate([[0], (~same).cumsum()])
        tied = np.concatenate([same, [False]]) | np.concatenate([[False], same])
        rows, moment = order[tied], moment[tied]
        by_item = np.lexsort((self.item[rows], moment))  # equal ones as they lie
        rows, moment = rows[by_item], moment[by_item]
        item = self.item[rows]
        again[rows[1:]] = (moment[1:] == moment[:-1]) & (item[1:] == item[:-1])
        return again

    @property
    def tied(self) -> int:
        """How many users did their last two things at the same time."""
        if self.time is None:
            return 0
        counts = np.bincount(self.user, minlength=len(self.users))
        last = counts.cumsum()[counts > 1] - 1
        end, before = (at if self._order is None else self._order[at] for at in (last, last - 1))
        return int((self.time[end] == self.time[before]).sum())

    @cached_property
    def _order(self) -> NDArray[np.int64] | None:
        """Rows by user, then by time; None where they lie so."""
        later = self.user[1:] > self.user[:-1]
        same = self.user[1:] == self.user[:-1]
        if self.time is None:
            return None if bool((later | same).all()) else in_order(self.user)
        if bool((later | (same & (self.time[1:] >= self.time[:-1]))).all()):
            return None
        by_time = in_order(self.time)
        return by_time[in_order(self.user[by_time])]


def in_order(keys: NDArray[Any]) -> NDArray[np.int64]:
    """The places of these keys from the least to the greatest; equal ones as they lie.

    Keys and places in one number are sorted many times faster than places by their keys, where they fit.

    >>> in_order(np.array([5, 3, 5, 1])).tolist(), in_order(np.array([0.5, 0.25])).tolist()
    ([3, 1, 0, 2], [1, 0])
    """
    places = len(keys).bit_length()
    low = keys.min()
    if keys.dtype.kind == "i" and (int(keys.max()) - int(low)).bit_length() + places < 64:
        packed = (keys.astype(np.int64) - int(low) << places) + np.arange(len(keys))
        packed.sort()
        return packed & ((1 << places) - 1)
    return np.argsort(keys, kind="stable")


def _renumbered(codes: NDArray[np.int32], count: int) -> tuple[NDArray[np.int32], torch.Tensor]:
    used = np.bincount(codes, minlength=count) > 0
    return (used.cumsum(dtype=np.int32) - np.int32(1))[codes], torch.from_numpy(used.nonzero()[0])
