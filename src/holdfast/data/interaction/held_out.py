"""Leave one out: of each history the last interaction is the test, the one before it the validation."""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.draws import generator, permutation
from holdfast.core.errors import BadData, BadSetting
from holdfast.core.settings import at_most
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.named import NamedHistories
from holdfast.data.interaction.sampling import Untouched, distinct
from holdfast.data.interaction.splits import HELD
from holdfast.data.reading import shown

LEAST = HELD + 1
CANDIDATES = 100
USERS = 8192  # at once
LONGEST = 10_000  # items that a model sees at once, and windows of a history
WINDOWS = 20 * 128  # of an epoch: with fewer steps, early stopping gives up before a model has begun

HeldOutItem = Literal["test", "validation"]
Length = int | Literal["all"]


@dataclass(frozen=True)
class Holdout:
    """How histories become examples.

    A model sees the latest ``length`` items, or "all"; in an epoch it sees ``samples`` windows of each user
    (by default enough for twenty batches of 128); with ``holdout`` "validation" the test asks for the
    validation item, as published figures do; ``limit`` is how many users are used at most, ``candidates``
    among how many items that the user never touched the true one is ranked.
    """

    length: Length = 50
    samples: int | None = None
    holdout: HeldOutItem = "test"
    limit: int | None = None
    candidates: int = CANDIDATES

    def __post_init__(self) -> None:
        for name in ("length", "samples", "candidates"):
            value = getattr(self, name)
            if value is None or (name, value) == ("length", "all"):
                continue
            if isinstance(value, str) or value < 1:
                also = ", or all" if name == "length" else ""
                raise BadSetting(f"expected {name} to be 1 or more{also}, but got {value}")
            at_most(f"expected {name}", value, LONGEST)
        if self.holdout not in ("test", "validation"):
            raise BadSetting(f"expected holdout to be test or validation, but got '{self.holdout}'")
        if self.limit is not None and self.limit < 2:
            raise BadSetting(f"expected limit to be 2 or more users, but got {self.limit}")


def held_out(name: str, named: NamedHistories, ask: Holdout) -> InteractionDataset:
    """The data set of these histories; users with too short a history are left out, with a note."""
    named = _drawn(_long_enough(name, named), ask.limit)
    _several(name, named)
    named, left = _askable(name, named, ask.candidates)
    histories, items = named.histories, len(named.items)
    if not bool((histories.lengths - HELD >= 2).any()):
        raise BadData(
            f"'{name}' has nothing to train on: expected users with {HELD + 2} interactions or more"
        )
    count = min(ask.candidates, int(left.count.min()))
    back = {"validation": 2, "test": 2 if ask.holdout == "validation" else 1}
    # the same interaction is asked for among the same candidates
    others = {place: _others(left, count, place) for place in set(back.values())}
    if named.others is not None and 1 in others:
        others[1] = named.others
    true = {place: histories.ids[histories.ends - place][:, None] for place in others}
    candidates = {split: torch.cat([true[place], others[place]], 1) for split, place in back.items()}
    causes = named.causes
    if causes is not None:
        causes = {
            split: causes["validation" if place == 2 else "test"].clone() for split, place in back.items()
        }
    return InteractionDataset.of(
        name,
        histories,
        named.users,
        named.items,
        candidates,
        length=_longest(name, histories) if ask.length == "all" else ask.length,
        whole=ask.length == "all",
        samples=_windows(ask, len(histories)),
        back=back,
        causes=causes,
        titles=named.titles,
        genres=named.genres,
        notes=(*named.notes, *_notes(histories, items, count, ask)),
        ages=named.ages,
    )


def _several(name: str, named: NamedHistories) -> None:
    if len(named.users) < 2:
        who = shown(named.users[0])
        raise BadData(
            f"'{name}' has a single user with a history ({who}): expected two or more, "
            "to learn from one another"
        )


def _long_enough(name: str, named: NamedHistories) -> NamedHistories:
    enough = named.histories.lengths >= LEAST
    if not bool(enough.any()):
        raise BadData(
            f"'{name}': no user has {LEAST} interactions or more: expected histories to train on, "
            "with an interaction to validate and one to test"
        )
    few = int((~enough).sum())
    if not few:
        return named
    note = f"{few:,} of {len(enough):,} users have fewer than {LEAST} interactions, which cannot be split"
    return named.keep(enough, f"{note}: they are left out.")


def _drawn(named: NamedHistories, limit: int | None) -> NamedHistories:
    users = len(named.users)
    if limit is None or limit >= users:
        return named
    kept = torch.zeros(users, dtype=torch.bool)
    kept[permutation(users, None, "limit")[:limit]] = True
    return named.keep(kept, f"{limit:,} of {users:,} users are used, drawn at random.")


def _longest(name: str, histories: Histories) -> int:
    longest = int(histories.lengths.max())
    if longest > LONGEST:
        raise BadData(
            f"'{name}': a history has {longest:,} items, more than a model can see at once ({LONGEST:,}): "
            "expected shorter ones, or a number for --length"
        )
    return longest


def _askable(name: str, named: NamedHistories, candidates: int) -> tuple[NamedHistories, Untouched]:
    """Without the users who have touched (almost) everything; and what the others have not.

    Almost: where two users or more, and half of all, have enough items left, those who have not; where
    fewer have, those with less than half of what is usual.
    """
    items = len(named.items)
    left = Untouched.of(named.histories, named.histories.ends, items)
    # a few who know almost everything must not make it easy for all
    enough = left.count >= candidates
    half = max(1, int(left.count.median()) // 2)
    wanted = candidates if int(enough.sum()) >= max(2, len(enough) / 2) else half
    some = left.count >= wanted
    if bool(some.all()):
        return named, left
    who = shown(named.users[int((~some).nonzero()[0])])
    if int(some.sum()) < 2:
        but = f" but {shown(named.users[int(some.nonzero()[0])])}" if bool(some.any()) else ""
        raise BadData(
            f"'{name}': every user{but} has touched all {items:,} items (user {who} for one), so no "
            "unseen item is left to rank against: expected more items, or users who have seen fewer of them"
        )
    few = int((~some).sum())
    whose = f"User {who} has" if few == 1 else f"{few:,} users ({who} for one) have"
    end = "is left out" if few == 1 else "are left out"
    note = f"{whose} touched all {items:,} items, so that none is left to tell from them, and {end}."
    if int(left.count[~some].max()):
        note = f"{whose} fewer than {wanted} of {items:,} items left to tell from those touched, and {end}."
    named = named.keep(some, note)
    return named, Untouched.of(named.histories, named.histories.ends, items)


def _others(left: Untouched, count: int, place: int) -> Int[Tensor, "N C"]:
    rng = generator(None, "candidates", place)
    candidates = []
    for some in torch.split(torch.arange(len(left.count)), USERS):
        draws = torch.rand((count, len(some)), generator=rng, dtype=torch.double)
        ranks = distinct(left.count[some], draws).T.contiguous()
        candidates.append(left.pick(some[:, None].expand_as(ranks), ranks).int())
    return torch.cat(candidates)


def _windows(ask: Holdout, users: int) -> int:
    return ask.samples or math.ceil(WINDOWS / users)


def _notes(histories: Histories, items: int, count: int, ask: Holdout) -> list[str]:
    notes = []
    after = 2 if ask.holdout == "validation" else 1  # what is asked for, and what came after it
    long = 0 if ask.length == "all" else int((histories.lengths - after > ask.length).sum())
    if long:
        notes.append(
            f"{long:,} of {len(histories):,} histories are longer than {ask.length} items: "
            "a model sees the latest of them."
        )
    if count < ask.candidates:
        notes.append(
            f"The true item is ranked among {count + 1} instead of {ask.candidates + 1} candidates: "
            f"some user has only {count} of the {items} items left."
        )
    unseen = _unseen(histories, items)
    if unseen:
        notes.append(
            f"{unseen:,} of {items:,} items occur in no training history, so nothing is learned of them."
        )
    windows = _windows(ask, len(histories))
    if windows > 1 and ask.samples is None:
        notes.append(f"As users are few, an epoch has {windows} windows of each history (samples).")
    if ask.holdout == "validation":
        notes.append(
            "The test asks for the validation item, the last but one, as published figures do: "
            "early stopping, where it is used, has seen it."
        )
    return notes


def _unseen(histories: Histories, items: int) -> int:
    trained = torch.ones(len(histories.ids), dtype=torch.bool)
    for place in range(1, HELD + 1):
        trained[histories.ends - place] = False
    return int((torch.bincount(histories.ids[trained], minlength=items + 1)[1:] == 0).sum())
