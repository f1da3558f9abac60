"""Neighbours in words: who is near a user, what they took, and which items are near one."""

from holdfast.report.texts import percent
from holdfast.study.neighbours import Neighbour, Neighbourhood, Taken
from holdfast.study.recommendation import UserExample

NEARNESS = (
    "Near means near by Euclidean distance between the vectors of each seed. A neighbour is named where most "
    "seeds, and more than by chance, have it among the nearest; chance is what users as active, or items as "
    "popular, come to. What the nearest users took counts where it is beyond what users as active took. That "
    "vectors are near need not be why an item is recommended."
)


def users_near(found: Neighbourhood, seeds: int) -> str:
    """Which users are near, and whether seeds agree on that.

    >>> users_near(Neighbourhood(10, (Neighbour("17", 9),), 0.6, 0.002), 10)
    'Nearest users: 17 (9 of 10 seeds). Two seeds share 60.0 % of their 10 nearest; by chance, 0.2 %.'
    """
    some = _named(found.named, seeds)
    head = f"Nearest users: {some}." if some else f"No user is among the {found.k} nearest in most seeds."
    if found.overlap is None:
        return head
    shared = f"Two seeds share {percent(found.overlap)} of their {found.k} nearest"
    return f"{head} {shared}; by chance, {percent(found.chance)}."


def took(taken: Taken) -> str:
    """How many of the nearest users took an item.

    >>> took(Taken(10, 4.3, 3.1, 5.5, 1.1, True))
    'Of the 10 nearest users 4.3 took it (3.1 to 5.5 over seeds); of 10 others as active, 1.1.'
    >>> took(Taken(10, 2.0, 1.0, 3.0, 1.1, False))
    'Of the 10 nearest users 2.0 took it; of 10 others as active, 1.1: not beyond chance, so no reason.'
    """
    span = "" if taken.low is None or not taken.more else f" ({taken.low:.1f} to {taken.high:.1f} over seeds)"
    verdict = "" if taken.more else ": not beyond chance, so no reason"
    return (
        f"Of the {taken.k} nearest users {taken.took:.1f} took it{span}; of {taken.k} others as active, "
        f"{taken.expected:.1f}{verdict}."
    )


def items_near(near: tuple[Neighbour, ...], seeds: int) -> str:
    """The items of the history that are near one; nothing where none is.

    >>> items_near((Neighbour("Alien", 8),), 10), items_near((), 10)
    ('Near it, of the history: Alien (8 of 10 seeds).', '')
    """
    return f"Near it, of the history: {_named(near, seeds)}." if near else ""


def how_near(example: UserExample) -> str:
    """How to read neighbours, where there are any to be read."""
    some = example.neighbours is not None or any(one.near for one in example.recommendations)
    return NEARNESS if some else ""


def _named(near: tuple[Neighbour, ...], seeds: int) -> str:
    return ", ".join(f"{one.name} ({one.agree} of {seeds} seeds)" for one in near)
